// Vectors of 16 and 32 bytes, more of them live than there are registers:
// integer and floating-point arithmetic, comparisons, permutations,
// conversions, calls.
#include "checksum.h"

typedef float floats __attribute__((vector_size(32)));
typedef double doubles __attribute__((vector_size(32)));
typedef uint32_t words __attribute__((vector_size(32)));
typedef int64_t longs __attribute__((vector_size(32)));
typedef uint8_t bytes __attribute__((vector_size(16)));
typedef int16_t halves __attribute__((vector_size(16)));

// clang-format off
#define TEN(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9)
// clang-format on

#define ADD_LANES(vector)                                                      \
  for (unsigned lane = 0; lane != sizeof(vector) / sizeof((vector)[0]);        \
       ++lane)                                                                 \
    add((uint64_t)(vector)[lane]);
#define ADD_REAL_LANES(vector)                                                 \
  for (unsigned lane = 0; lane != sizeof(vector) / sizeof((vector)[0]);        \
       ++lane)                                                                 \
    add_double((vector)[lane]);

static words next_words(void) {
  words value;
  for (int i = 0; i != 8; ++i)
    value[i] = (uint32_t)next();
  return value;
}
static floats next_floats(void) {
  floats value;
  for (int i = 0; i != 8; ++i)
    value[i] = (float)fraction();
  return value;
}
static doubles next_doubles(void) {
  doubles value;
  for (int i = 0; i != 4; ++i)
    value[i] = fraction();
  return value;
}

__attribute__((noinline)) static void integer(int rounds) {
#define DECLARE(n) words a##n = next_words(), b##n = a##n >> 3;
#define STEP(n)                                                                \
  a##n = a##n * 5 + (b##n ^ (a##n > b##n));                                    \
  b##n = __builtin_shufflevector(b##n, a##n, 1, 9, 3, 11, 5, 13, 7, 15) + n;
#define ADD(n) ADD_LANES(a##n) ADD_LANES(b##n)
  TEN(DECLARE)
  for (int i = 0; i != rounds; ++i) {
    TEN(STEP)
    if (a0[i & 7] & 1)
      add(b3[2]);
    a1 <<= (b1 & 15);
  }
  TEN(ADD)
#undef DECLARE
#undef STEP
#undef ADD
}

__attribute__((noinline)) static void real(int rounds) {
#define DECLARE(n)                                                             \
  floats a##n = next_floats();                                                 \
  doubles b##n = next_doubles();
#define STEP(n)                                                                \
  words less##n = (words)(a##n < 1.0f);                                        \
  a##n = a##n * 0.75f +                                                        \
         (floats)(((words)a##n & less##n) | ((words) - a##n & ~less##n));      \
  b##n = b##n * 0.5 + __builtin_shufflevector(b##n, b##n, 3, 2, 1, 0) * 0.25;
#define ADD(n) ADD_REAL_LANES(a##n) ADD_REAL_LANES(b##n)
  TEN(DECLARE)
  for (int i = 0; i != rounds; ++i) {
    TEN(STEP)
    b0 += __builtin_convertvector(__builtin_shufflevector(a5, a5, 0, 2, 4, 6),
                                  doubles);
    longs whole = __builtin_convertvector(b4 * 100.0, longs);
    add(whole[i & 3]);
  }
  TEN(ADD)
#undef DECLARE
#undef STEP
#undef ADD
}

__attribute__((noinline)) static void narrow(int rounds) {
#define DECLARE(n)                                                             \
  bytes a##n =                                                                 \
      (bytes)__builtin_shufflevector(next_words(), next_words(), 0, 1, 8, 9);  \
  halves b##n = (halves)a##n * 3;
#define STEP(n)                                                                \
  a##n = (a##n ^ (bytes)b##n) + (bytes)(a##n > 100);                           \
  b##n = b##n * 7 - (halves)__builtin_shufflevector(a##n, a##n, 0, 8, 1, 9, 2, \
                                                    10, 3, 11, 4, 12, 5, 13,   \
                                                    6, 14, 7, 15);
#define ADD(n) ADD_LANES(a##n) ADD_LANES(b##n)
  TEN(DECLARE)
  for (int i = 0; i != rounds; ++i) {
    TEN(STEP)
    a2[i & 15] = (uint8_t)i;
  }
  TEN(ADD)
}

// Vectors as arguments and results, live over the call.
__attribute__((noinline)) static floats blend(floats a, floats b, floats c,
                                              floats d, floats e, floats f) {
  ADD_REAL_LANES(f)
  return a * b + c * d - e;
}
__attribute__((noinline)) static void calls(int rounds) {
  floats a = next_floats(), b = next_floats(), c = next_floats(),
         d = next_floats(), e = next_floats(), f = next_floats(),
         g = next_floats();
  for (int i = 0; i != rounds; ++i) {
    floats t = blend(a, b * 0.5f, c, d * 0.25f, e, f);
    a = b, b = c, c = d, d = e, e = f, f = g, g = t * 0.5f;
  }
  ADD_REAL_LANES(a)
  ADD_REAL_LANES(b)
  ADD_REAL_LANES(c)
  ADD_REAL_LANES(d) ADD_REAL_LANES(e) ADD_REAL_LANES(f) ADD_REAL_LANES(g)
}

// Loops for the vectorizer.
enum { length = 259 };
static int32_t left[length], right[length];
static double scales[length];
__attribute__((noinline)) static void loops(void) {
  for (int i = 0; i != length; ++i) {
    left[i] = (int32_t)next();
    right[i] = (int32_t)next();
    scales[i] = fraction();
  }
  int64_t total = 0;
  int32_t most = 0;
  for (int i = 0; i != length; ++i) {
    int32_t value =
        left[i] > right[i] ? left[i] - right[i] / 2 : right[i] ^ left[i];
    total += value;
    most = value > most ? value : most;
    scales[i] = scales[i] * 0.5 + (double)(value >> 8);
    right[i] = value;
  }
  add((uint64_t)total), add((uint64_t)most);
  for (int i = 0; i != length; ++i)
    add((uint32_t)right[i]), add_double(scales[i]);
}

int main(void) {
  integer(40), show("integer");
  real(40), show("real");
  narrow(40), show("narrow");
  calls(40), show("calls");
  loops(), show("loops");
}
