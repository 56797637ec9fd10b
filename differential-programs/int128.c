// 128-bit integers: pairs of registers, carries, widening multiplication,
// division by call, shifts by a variable distance.
#include "checksum.h"

typedef unsigned __int128 wide;
typedef __int128 wide_signed;

static wide next_wide(void) {
  uint64_t high = next();
  return ((wide)high << 64) | next();
}

static void add_wide(wide value) {
  add((uint64_t)value);
  add((uint64_t)(value >> 64));
}

__attribute__((noinline)) static wide mix(wide a, wide b, wide c, wide d,
                                          wide e) {
  for (int i = 0; i != 20; ++i) {
    wide t = a * b + (c ^ d) - e;
    a = b + (t >> (i * 5 % 128));
    b = (c << (unsigned)(d & 127)) |
        (wide)((wide_signed)e >> (unsigned)(a & 127));
    c = d * (uint64_t)e;
    d = e < a ? e - a : a - e;
    e = t + ((wide_signed)b < (wide_signed)c);
  }
  add_wide(a), add_wide(b), add_wide(c), add_wide(d);
  return e;
}

__attribute__((noinline)) static void divide(wide a, wide b) {
  wide_signed c = (wide_signed)a, d = (wide_signed)(b | 1);
  b |= 1;
  wide q = a / b, r = a % b, s = a / (b >> 70 | 1), t = a % (b >> 100 | 1);
  wide_signed u = c / d, v = c % d, w = c / (d >> 90 | 1),
              x = c % (d >> 65 | 1);
  add_wide(q), add_wide(r), add_wide(s), add_wide(t);
  add_wide(u), add_wide(v), add_wide(w), add_wide(x);
  add_wide(a + b + q * b + r);
}

__attribute__((noinline)) static void overflow(wide a, wide b, int64_t c,
                                               int64_t d) {
  wide product, total;
  int64_t small;
  int first = __builtin_mul_overflow(a >> 60, b >> 50, &product);
  int second = __builtin_add_overflow(a, b, &total);
  int third = __builtin_mul_overflow(c, d >> 3, &small);
  add_wide(product + first);
  add_wide(total + second);
  add(small + third);
  add_double((double)a);
  add_double((double)(wide_signed)b);
  add_wide((wide)((double)(a >> 1) * 0.5));
}

int main(void) {
  for (int i = 0; i != 50; ++i) {
    add_wide(
        mix(next_wide(), next_wide(), next_wide(), next_wide(), next_wide()));
    divide(next_wide(), next_wide() >> (i * 5 % 128));
    overflow(next_wide(), next_wide(), (int64_t)next(), (int64_t)next());
  }
  show("int128");
}
