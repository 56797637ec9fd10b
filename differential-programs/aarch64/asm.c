// Inline assembly: tied and early-clobber operands, pairs, memory, clobbers,
// jumps out of it, among many live values.
#include "../checksum.h"

#define LIVE                                                                   \
  uint64_t a = next(), b = next(), c = next(), d = next(), e = next(),         \
           f = next(), g = next(), h = next(), i = next(), j = next();         \
  double u = fraction(), v = fraction(), w = fraction();
#define READ                                                                   \
  add(a), add(b), add(c), add(d), add(e), add(f), add(g), add(h), add(i),      \
      add(j);                                                                  \
  add_double(u), add_double(v), add_double(w);

__attribute__((noinline)) static void early(void) {
  LIVE uint64_t x, y, z;
  // The results are written before the last operand is read.
  __asm__("add %0, %3, %4\n\teor %1, %0, %5\n\tadd %2, %6, %1, lsl #1"
          : "=&r"(x), "=&r"(y), "=&r"(z)
          : "r"(a), "r"(b), "r"(c), "r"(d));
  __asm__("eor %0, %0, %1\n\tadd %1, %1, %2\n\tsub %2, %2, %0"
          : "+r"(e), "+r"(f), "+&r"(g));
  __asm__("add %0, %0, %1\n\tror %0, %0, #7" : "=r"(h) : "r"(i), "0"(h));
  __asm__("add %w0, %w1, #%2" : "=r"(j) : "r"(j), "I"(77));
  add(x), add(y), add(z);
  READ
}

__attribute__((noinline)) static void memory(void) {
  LIVE uint64_t cells[4] = {a, b, c, d}, x, y;
  __asm__("ldr %0, %1\n\tadd %0, %0, %2\n\tstr %0, %1"
          : "=&r"(x), "+Q"(cells[1])
          : "r"(e));
  __asm__("ldp %0, %1, %2" : "=r"(f), "=&r"(y) : "Q"(cells[2]));
  __asm__("cmp %1, %2\n\tcset %0, lo" : "=r"(g) : "r"(g), "r"(h) : "cc");
  uint64_t *p = cells;
  __asm__ volatile("str %1, [%0], #8\n\tstr %2, [%0]"
                   : "+r"(p)
                   : "r"(i), "r"(j)
                   : "memory");
  add((uint64_t)(p - cells)), add(x), add(y);
  for (int k = 0; k != 4; ++k)
    add(cells[k]);
  READ
}

__attribute__((noinline)) static void exclusive(void) {
  LIVE uint64_t cell = a, old, changed;
  uint32_t failed;
  __asm__ volatile(
      "1: ldaxr %0, %3\n\tadd %1, %0, %4\n\tstlxr %w2, %1, %3\n\tcbnz %w2, 1b"
      : "=&r"(old), "=&r"(changed), "=&r"(failed), "+Q"(cell)
      : "r"(b)
      : "memory");
  add(cell), add(old), add(changed), add(failed);
  READ
}

__attribute__((noinline)) static void clobbers(void) {
  LIVE __asm__ volatile(
      "mov x0, #0\n\tmov x8, #0\n\tmov x19, #0\n\tmov x28, #0\n\t"
      "movi v0.2d, #0\n\tmovi v8.2d, #0\n\tmovi v31.2d, #0" : : : "x0",
      "x8", "x19", "x28", "v0", "v8", "v31");
  READ __asm__ volatile(
      "mov x20, #0\n\tmov x27, #0\n\tmovi v9.2d, #0" : : : "x0", "x1", "x2",
      "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
      "x14", "x15", "x16", "x17", "x20", "x21", "x22", "x23", "x24", "x25",
      "x26", "x27", "x28", "x30", "v8", "v9", "v10", "v11", "v12", "v13", "v14",
      "v15", "cc", "memory");
  READ
}

__attribute__((noinline)) static void real(void) {
  LIVE double x = u, y;
  __asm__("fadd %d0, %d0, %d1" : "+w"(x) : "w"(v));
  __asm__("fmul %d0, %d1, %d2\n\tfadd %d0, %d0, %d3"
          : "=&w"(y)
          : "w"(u), "w"(w), "w"(x));
  uint64_t bits;
  __asm__("fmov %0, %d1" : "=r"(bits) : "w"(y));
  __asm__("scvtf %d0, %w1" : "=w"(w) : "r"(a));
  add_double(x), add_double(y), add(bits);
  READ
}

// Results of asm goto are there on all ways out.
__attribute__((noinline)) static uint64_t jumps(uint64_t in) {
  LIVE uint64_t out, other = in;
  __asm__ goto("add %0, %2, #5\n\tadd %1, %1, #3\n\ttbnz %2, #0, %l[odd]\n\t"
               "tbnz %2, #1, %l[two]"
               : "=&r"(out), "+r"(other)
               : "r"(in)
               : "x19", "x20", "x0"
               : odd, two);
  a += out, b ^= other;
  READ return out + c;
odd:
  c += out, d -= other;
  READ return out * 3 + other;
two:
  e ^= out, f += other;
  READ return other - d;
}

int main(void) {
  for (int n = 0; n != 8; ++n) {
    early(), show("early");
    memory(), show("memory");
    exclusive(), show("exclusive");
    clobbers(), show("clobbers");
    real(), show("real");
    add(jumps(next())), show("jumps");
  }
}
