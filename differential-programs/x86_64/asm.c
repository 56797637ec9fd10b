// Inline assembly: operands in named registers, tied and early-clobber ones, in
// memory, in bytes, clobbers, jumps out of it, among many live values.
#include "../checksum.h"

#define LIVE                                                                   \
  uint64_t a = next(), b = next(), c = next(), d = next(), e = next(),         \
           f = next(), g = next(), h = next(), i = next(), j = next();         \
  double u = fraction(), v = fraction(), w = fraction();
#define READ                                                                   \
  add(a), add(b), add(c), add(d), add(e), add(f), add(g), add(h), add(i),      \
      add(j);                                                                  \
  add_double(u), add_double(v), add_double(w);

__attribute__((noinline)) static void named(void) {
  LIVE uint64_t high, low, quotient, rest;
  __asm__("mulq %3" : "=d"(high), "=a"(low) : "1"(a), "rm"(b) : "cc");
  __asm__("divq %4"
          : "=a"(quotient), "=d"(rest)
          : "0"(c), "1"(d % (e | 1)), "r"(e | 1)
          : "cc");
  uint64_t shifted = f;
  __asm__("shldq %%cl, %2, %0"
          : "+rm"(shifted)
          : "c"((uint8_t)g), "r"(h)
          : "cc");
  unsigned char copy[32] = {0};
  uint64_t source[4] = {a, b, c, d}, n = 29;
  void *to = copy, *from = source;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
  add(high), add(low), add(quotient), add(rest), add(shifted), add(n);
  for (int k = 0; k != 32; ++k)
    add(copy[k]);
  READ
}

__attribute__((noinline)) static void early(void) {
  LIVE uint64_t x, y, z;
  // The results are written before the last operand is read.
  __asm__("mov %3, %0\n\tadd %4, %0\n\tmov %5, %1\n\txor %0, %1\n\tlea "
          "(%6,%1,2), %2"
          : "=&r"(x), "=&r"(y), "=&r"(z)
          : "r"(a), "r"(b), "r"(c), "r"(d)
          : "cc");
  __asm__("xor %1, %0\n\tadd %2, %1\n\tsub %0, %2"
          : "+r"(e), "+r"(f), "+&r"(g)
          :
          : "cc");
  __asm__("addq %1, %0\n\trolq $7, %0" : "=r"(h) : "rm"(i), "0"(h) : "cc");
  __asm__("xchgb %b0, %h0" : "+Q"(j));
  add(x), add(y), add(z);
  READ
}

__attribute__((noinline)) static void memory(void) {
  LIVE uint64_t cells[4] = {a, b, c, d};
  __asm__("addq %2, %0\n\tnotq %1"
          : "+m"(cells[1]), "=m"(cells[2])
          : "r"(e), "m"(cells[2])
          : "cc");
  __asm__("lock xaddq %0, %1" : "+r"(f), "+m"(cells[3]) : : "cc");
  __asm__("cmpq %2, %1\n\tsetb %0"
          : "=qm"(*(uint8_t *)cells)
          : "r"(g), "m"(h)
          : "cc");
  for (int k = 0; k != 4; ++k)
    add(cells[k]);
  READ
}

__attribute__((noinline)) static void clobbers(void) {
  LIVE __asm__ volatile(
      "xor %%eax, %%eax\n\tmov %%rax, %%rbx\n\tmov %%rax, %%r12\n\t"
      "mov %%rax, %%r15\n\tmov %%rax, %%rsi\n\tmov %%rax, %%r8\n\t"
      "pxor %%xmm0, %%xmm0\n\tpxor %%xmm15, %%xmm15" : : : "rax",
      "rbx", "r12", "r15", "rsi", "r8", "xmm0", "xmm15", "cc");
  READ __asm__ volatile(
      "xor %%ecx, %%ecx\n\tmov %%rcx, %%rdx\n\tmov %%rcx, %%r13\n\t"
      "mov %%rcx, %%r14" : : : "rax",
      "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13",
      "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
      "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
      "xmm15", "cc", "memory");
  READ
}

__attribute__((noinline)) static void real(void) {
  LIVE double x = u, y;
  __asm__("addsd %1, %0" : "+x"(x) : "xm"(v));
  __asm__("movapd %1, %0\n\tmulsd %2, %0\n\taddsd %3, %0"
          : "=&x"(y)
          : "x"(u), "x"(w), "x"(x));
  uint64_t bits;
  __asm__("movq %1, %0" : "=r"(bits) : "x"(y));
  __asm__("pinsrw $1, %k1, %0" : "+x"(w) : "r"(a));
  w = w > 0 && w < 10 ? w : 1;
  add_double(x), add_double(y), add(bits);
  READ
}

// Results of asm goto are there on all ways out.
__attribute__((noinline)) static uint64_t jumps(uint64_t in) {
  LIVE uint64_t out, other = in;
  __asm__ goto("lea 5(%2), %0\n\taddq $3, %1\n\ttestq $1, %2\n\tjnz %l[odd]\n\t"
               "testq $2, %2\n\tjnz %l[two]"
               : "=&r"(out), "+r"(other)
               : "r"(in)
               : "cc", "rbx", "r12"
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
    named(), show("named");
    early(), show("early");
    memory(), show("memory");
    clobbers(), show("clobbers");
    real(), show("real");
    add(jumps(next())), show("jumps");
  }
}
