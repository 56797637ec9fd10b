// The runtime of statepoints.ll: a collector that moves every object at every
// allocation. It finds the references in the frames by LLVM's stack map, in
// stack slots and in saved registers, and overwrites the objects' old places.
#include "../checksum.h"
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

struct object {
  uint64_t value;
  struct object *left, *right;
};
enum { capacity = 1 << 12 };
static struct object spaces[2][capacity];
static struct object *to = spaces[0], *from = spaces[1];
static unsigned used, moved;

// The place to which an object has gone is in "left", marked by the value.
static const uint64_t gone = 0xdeadbeefdeadbeef;

static struct object *forward(struct object *old) {
  if (!old)
    return old;
  if (old < from || old >= from + capacity) {
    puts("a reference to no object");
    exit(1);
  }
  if (old->value != gone) {
    to[used] = *old;
    old->value = gone;
    old->left = &to[used++];
    ++moved;
  }
  return old->left;
}

// The stack map: its format is in LLVM's documentation, StackMaps.
extern const unsigned char __LLVM_StackMaps[];
struct header {
  uint8_t version, reserved[3];
  uint32_t functions, constants, records;
};
struct function {
  uint64_t address, size, records;
};
struct record {
  uint64_t id;
  uint32_t offset;
  uint16_t reserved, locations;
};
struct location {
  uint8_t kind, reserved;
  uint16_t size, reg, reserved2;
  int32_t offset;
};
enum { in_register = 1, in_memory = 3, constant = 4 };

// The record of the call that returns to this address, or none.
static const struct record *find(uintptr_t address) {
  const struct header *header = (const void *)__LLVM_StackMaps;
  const struct function *functions = (const void *)(header + 1);
  const char *at =
      (const char *)(functions + header->functions) + 8 * header->constants;
  for (uint32_t f = 0; f != header->functions; ++f)
    for (uint64_t r = 0; r != functions[f].records; ++r) {
      const struct record *record = (const void *)at;
      if (functions[f].address + record->offset == address)
        return record;
      at += sizeof *record + record->locations * sizeof(struct location);
      at = (const char *)(((uintptr_t)at + 7) & ~(uintptr_t)7) + 2;
      uint16_t live_outs;
      memcpy(&live_outs, at, 2);
      at = (const char *)(((uintptr_t)at + 2 + 4 * live_outs + 7) &
                          ~(uintptr_t)7);
    }
  return NULL;
}

#if defined(__x86_64__)
enum { stack_pointer = 7 };
#elif defined(__aarch64__)
enum { stack_pointer = 31 };
#else
enum { stack_pointer = 2 };
#endif

static uintptr_t *slot(struct _Unwind_Context *frame,
                       const struct location *location) {
  uintptr_t base = location->reg == stack_pointer
                       ? _Unwind_GetCFA(frame)
                       : _Unwind_GetGR(frame, location->reg);
  return (uintptr_t *)(base + location->offset);
}
static uintptr_t load(struct _Unwind_Context *frame,
                      const struct location *location) {
  switch (location->kind) {
  case in_register:
    return _Unwind_GetGR(frame, location->reg);
  case in_memory:
    return *slot(frame, location);
  case constant:
    return (uintptr_t)location->offset;
  }
  puts("an unknown kind of location");
  exit(1);
}
static void store(struct _Unwind_Context *frame,
                  const struct location *location, uintptr_t value) {
  if (location->kind == in_register)
    _Unwind_SetGR(frame, location->reg, value);
  else if (location->kind == in_memory)
    *slot(frame, location) = value;
}

static _Unwind_Reason_Code visit(struct _Unwind_Context *frame, void *unused) {
  const struct record *record = find(_Unwind_GetIP(frame));
  (void)unused;
  if (!record)
    return _URC_NO_REASON;
  // Three constants, the last of which counts the locations of deoptimisation;
  // then pairs: an object, and a pointer to or into it.
  const struct location *pairs = (const void *)(record + 1);
  unsigned count = (record->locations - 3) / 2;
  uintptr_t values[64];
  pairs += 3;
  for (unsigned i = 0; i != count; ++i) {
    uintptr_t base = load(frame, &pairs[2 * i]),
              derived = load(frame, &pairs[2 * i + 1]);
    values[i] = (uintptr_t)forward((struct object *)base) + (derived - base);
  }
  for (unsigned i = 0; i != count; ++i)
    store(frame, &pairs[2 * i + 1], values[i]);
  return _URC_NO_REASON;
}

struct object *allocate(struct object *left, struct object *right) {
  struct object *space = to, *arguments[2] = {left, right};
  to = from, from = space, used = 0;
  // The arguments are this call's own: the caller's are found by the map.
  for (int i = 0; i != 2; ++i)
    arguments[i] = forward(arguments[i]);
  _Unwind_Backtrace(visit, NULL);
  for (unsigned i = 0; i != used; ++i) {
    to[i].left = forward(to[i].left);
    to[i].right = forward(to[i].right);
  }
  memset(from, 0xee, sizeof spaces[0]);
  if (used == capacity) {
    puts("too many objects");
    exit(1);
  }
  to[used] = (struct object){next(), arguments[0], arguments[1]};
  return &to[used++];
}

void note(uint64_t value) { add(value); }

extern struct object *tree(unsigned depth);
extern void many(uint64_t rounds);

int main(void) {
  many(30);
  show("many");
  printf("%d moved\n", moved);
  tree(6);
  show("tree");
  printf("%d moved\n", moved);
}
