// Tail calls that must be made, in a ring of functions whose arguments change
// places.
#include "checksum.h"

typedef struct {
  uint64_t rounds;
  const unsigned char *code;
} machine;
#define STATE                                                                  \
  machine *m, const unsigned char *pc, uint64_t a, uint64_t b, uint64_t c,     \
      uint64_t d
typedef uint64_t handler(STATE);
static handler *const table[6];
#define DISPATCH(...)                                                          \
  do {                                                                         \
    if (!--m->rounds) __attribute__                                            \
      ((musttail)) return stop(m, pc, a, b, c, d);                             \
    __attribute__((musttail)) return table[*pc % 6](m, pc + 1, __VA_ARGS__);   \
  } while (0)

__attribute__((noinline)) static uint64_t stop(STATE) {
  add(a), add(b), add(c), add(d);
  add((uint64_t)(pc - m->code));
  return a + b + c + d;
}
static uint64_t rotate(STATE) { DISPATCH(b, c, d, a); }
static uint64_t multiply(STATE) { DISPATCH(a * (b | 1), b + c, c, d); }
static uint64_t swap(STATE) { DISPATCH(d, c, b, a); }
static uint64_t jump(STATE) {
  if (a & 1)
    pc = m->code + (b & 127);
  DISPATCH(a >> 1 | a << 63, b, c + a, d);
}
static uint64_t divide(STATE) {
  DISPATCH(a, b % (a | 1), c / (d | 1) + c, d << (b & 31));
}
static uint64_t call(STATE) {
  add(a);
  uint64_t e = next();
  DISPATCH(a, b ^ e, c, d + e);
}
static handler *const table[6] = {rotate, multiply, swap, jump, divide, call};

int main(void) {
  static unsigned char code[1 << 16];
  for (int i = 0; i != sizeof code; ++i)
    code[i] = (unsigned char)(next() >> 11);
  for (int i = 0; i != 20; ++i) {
    machine m = {1000, code};
    add(table[i % 6](&m, code, next(), next(), next(), next()));
  }
  show("tail-calls");
}
