// Atomic operations of all widths: loops around compare-and-exchange, or loads
// and stores with reservation, with many values live around them.
#include "checksum.h"
#include <stdatomic.h>

#define OPERATIONS(type)                                                       \
  __attribute__((noinline)) static void operations_##type(int rounds) {        \
    static _Atomic type cell[4];                                               \
    type a = (type)next(), b = (type)next(), c = (type)next();                 \
    type d = (type)next(), e = (type)next(), f = (type)next();                 \
    for (int i = 0; i != rounds; ++i) {                                        \
      _Atomic type *p = &cell[i & 3];                                          \
      a += atomic_fetch_add(p, b);                                             \
      b ^= atomic_fetch_sub_explicit(p, c, memory_order_acquire);              \
      c += atomic_fetch_xor_explicit(p, d, memory_order_release);              \
      d -= atomic_fetch_and_explicit(p, (type)(e | 3), memory_order_relaxed);  \
      e += atomic_fetch_or(p, (type)(f & 85));                                 \
      f ^= atomic_exchange(p, (type)(a + b + c));                              \
      type seen = atomic_load_explicit(p, memory_order_relaxed), wanted;       \
      do /* no single instruction does this */                                 \
        wanted = (type)(seen * 3 + a - (b ^ f));                               \
      while (!atomic_compare_exchange_weak(p, &seen, wanted));                 \
      type guess = (type)(i & 1 ? wanted : a);                                 \
      if (atomic_compare_exchange_strong(p, &guess, (type)(c + d + e)))        \
        a += 1;                                                                \
      b += guess + __atomic_nand_fetch((type *)p, d, __ATOMIC_SEQ_CST);        \
      c += __atomic_fetch_max((type *)p, e, __ATOMIC_ACQ_REL);                 \
      d ^= __atomic_fetch_min((type *)p, f, __ATOMIC_SEQ_CST);                 \
    }                                                                          \
    add(a), add(b), add(c), add(d), add(e), add(f);                            \
    for (int i = 0; i != 4; ++i)                                               \
      add(cell[i]);                                                            \
  }
OPERATIONS(uint8_t)
OPERATIONS(int16_t)
OPERATIONS(uint32_t)
OPERATIONS(int64_t)

__attribute__((noinline)) static void flags(int rounds) {
  static _Atomic uint32_t word;
  static _Atomic double real;
  for (int i = 0; i != rounds; ++i) {
    uint32_t bit = 1u << (next() & 31);
    if (atomic_fetch_or(&word, bit) & bit)
      add(atomic_fetch_and(&word, ~bit));
    real = real * 0.5 + (double)i;
    real += 0.25;
  }
  add(word);
  add_double(real);
}

int main(void) {
  operations_uint8_t(200);
  operations_int16_t(200);
  operations_uint32_t(200);
  operations_int64_t(200);
  flags(200);
  show("atomics");
}
