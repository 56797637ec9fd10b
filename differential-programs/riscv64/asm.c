// Inline assembly: tied and early-clobber operands, memory, clobbers,
// reservations, jumps out of it, among many live values.
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
  __asm__("add %0, %3, %4\n\txor %1, %0, %5\n\tsub %2, %6, %1"
          : "=&r"(x), "=&r"(y), "=&r"(z)
          : "r"(a), "r"(b), "r"(c), "r"(d));
  __asm__("xor %0, %0, %1\n\tadd %1, %1, %2\n\tsub %2, %2, %0"
          : "+r"(e), "+r"(f), "+&r"(g));
  __asm__("add %0, %0, %1\n\tslli %0, %0, 3" : "=r"(h) : "r"(i), "0"(h));
  __asm__("addi %0, %1, %2" : "=r"(j) : "r"(j), "I"(77));
  __asm__("add %0, %1, %z2" : "=r"(i) : "r"(i), "rJ"(0));
  add(x), add(y), add(z);
  READ
}

__attribute__((noinline)) static void memory(void) {
  LIVE uint64_t cells[4] = {a, b, c, d}, x, y;
  __asm__("ld %0, %1\n\tadd %0, %0, %2\n\tsd %0, %1"
          : "=&r"(x), "+m"(cells[1])
          : "r"(e));
  __asm__("amoadd.d.aqrl %0, %2, %1"
          : "=r"(y), "+A"(cells[3])
          : "r"(f)
          : "memory");
  __asm__("sltu %0, %1, %2" : "=r"(g) : "r"(g), "r"(h));
  uint64_t *p = cells;
  __asm__ volatile("sd %1, 0(%0)\n\taddi %0, %0, 8\n\tsd %2, 0(%0)"
                   : "+r"(p)
                   : "r"(i), "r"(j)
                   : "memory");
  add((uint64_t)(p - cells)), add(x), add(y);
  for (int k = 0; k != 4; ++k)
    add(cells[k]);
  READ
}

__attribute__((noinline)) static void reserved(void) {
  LIVE uint64_t cell = a, old, changed;
  __asm__ volatile("1: lr.d.aqrl %0, %2\n\tadd %1, %0, %3\n\tsc.d.rl %1, %1, "
                   "%2\n\tbnez %1, 1b"
                   : "=&r"(old), "=&r"(changed), "+A"(cell)
                   : "r"(b)
                   : "memory");
  add(cell), add(old), add(changed);
  READ
}

__attribute__((noinline)) static void clobbers(void) {
  LIVE __asm__ volatile(
      "li a0, 0\n\tli t0, 0\n\tli s1, 0\n\tli s11, 0\n\t"
      "fmv.d.x fa0, zero\n\tfmv.d.x fs0, zero\n\tfmv.d.x ft11, zero" : : : "a0",
      "t0", "s1", "s11", "fa0", "fs0", "ft11");
  READ __asm__ volatile("li s2, 0\n\tli s10, 0\n\tfmv.d.x fs1, zero" : : : "a0",
                        "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1",
                        "t2", "t3", "t4", "t5", "t6", "s1", "s2", "s3", "s4",
                        "s5", "s6", "s7", "s8", "s9", "s10", "s11", "fs0",
                        "fs1", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8",
                        "fs9", "fs10", "fs11", "memory");
  READ
}

__attribute__((noinline)) static void real(void) {
  LIVE double x = u, y;
  __asm__("fadd.d %0, %0, %1" : "+f"(x) : "f"(v));
  __asm__("fmul.d %0, %1, %2\n\tfadd.d %0, %0, %3"
          : "=&f"(y)
          : "f"(u), "f"(w), "f"(x));
  uint64_t bits;
  __asm__("fmv.x.d %0, %1" : "=r"(bits) : "f"(y));
  __asm__("fcvt.d.w %0, %1" : "=f"(w) : "r"(a));
  add_double(x), add_double(y), add(bits);
  READ
}

// Results of asm goto are there on all ways out.
__attribute__((noinline)) static uint64_t jumps(uint64_t in) {
  LIVE uint64_t out, other = in;
  __asm__ goto("andi %0, %2, 3\n\taddi %1, %1, 3\n\tbeqz %0, %l[none]\n\taddi "
               "%0, %0, -2\n\t"
               "beqz %0, %l[two]"
               : "=&r"(out), "+r"(other)
               : "r"(in)
               : "s1", "s2", "a0"
               : none, two);
  a += out, b ^= other;
  READ return out + c;
none:
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
    reserved(), show("reserved");
    clobbers(), show("clobbers");
    real(), show("real");
    add(jumps(next())), show("jumps");
  }
}
