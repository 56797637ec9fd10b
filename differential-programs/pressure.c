// Many integers and floating-point numbers live at once, over calls and in
// loops.
#include "checksum.h"

// clang-format off
#define TWENTY(F)                                                              \
  F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9)                            \
  F(10) F(11) F(12) F(13) F(14) F(15) F(16) F(17) F(18) F(19)
// clang-format on

__attribute__((noinline)) static void integers(int rounds) {
#define DECLARE(n) uint64_t a##n = next(), b##n = a##n >> 7;
#define STEP(n)                                                                \
  a##n = a##n * 3 + b##n;                                                      \
  b##n ^= a##n >> (n + 1);
#define ADD(n) add(a##n + b##n);
  TWENTY(DECLARE)
  for (int i = 0; i != rounds; ++i) {
    TWENTY(STEP)
    if (a3 & 1)
      add(a7);
    else
      b5 += a0 % (b9 | 1);
    uint64_t t = a0;
    a0 = a19;
    a19 = b4;
    b4 = t;
  }
  TWENTY(ADD)
#undef DECLARE
#undef STEP
#undef ADD
}

__attribute__((noinline)) static void doubles(int rounds) {
#define DECLARE(n)                                                             \
  double a##n = fraction();                                                    \
  float b##n = (float)fraction();
#define STEP(n)                                                                \
  a##n = a##n * 0.75 + b##n;                                                   \
  b##n = b##n * 0.5f + (float)n;
#define ADD(n)                                                                 \
  add_double(a##n);                                                            \
  add_double(b##n);
  TWENTY(DECLARE)
  for (int i = 0; i != rounds; ++i) {
    TWENTY(STEP)
    if (a3 > b7)
      add_double(a5);
    else
      a9 = -a9 + (double)(int)b2;
  }
  TWENTY(ADD)
#undef DECLARE
#undef STEP
#undef ADD
}

// Narrow values share their registers' names: bytes, halves, words.
__attribute__((noinline)) static void narrow(int rounds) {
#define DECLARE(n)                                                             \
  uint8_t a##n = (uint8_t)next();                                              \
  int16_t b##n = (int16_t)next();                                              \
  uint32_t c##n = (uint32_t)next();
#define STEP(n)                                                                \
  a##n += (uint8_t)(b##n >> 8);                                                \
  b##n = (int16_t)(b##n * 5 + (int8_t)a##n);                                   \
  c##n = (c##n << (a##n & 31)) | (c##n >> ((32 - (a##n & 31)) & 31));
#define ADD(n)                                                                 \
  add(((uint64_t)c##n << 32) + ((uint64_t)(uint16_t)b##n << 8) + a##n);
  TWENTY(DECLARE)
  for (int i = 0; i != rounds; ++i) {
    TWENTY(STEP)
    a0 /= a1 | 1;
    b0 %= (int16_t)(b1 | 1);
  }
  TWENTY(ADD)
}

int main(void) {
  integers(100);
  show("integers");
  doubles(100);
  show("doubles");
  narrow(100);
  show("narrow");
}
