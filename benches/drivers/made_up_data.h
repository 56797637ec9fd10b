// Made-up data of four kinds for compressors, the same in every run.
#ifndef MADE_UP_DATA_H
#define MADE_UP_DATA_H
#include <stddef.h>

static void make(unsigned char *data, size_t n, int kind) {
  unsigned state = 2463534242u + kind;
  for (size_t i = 0; i < n; ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    if (kind == 0) // words
      data[i] = "etaoin shrdlu cmfwyp"[state % 4 * (i / 7 % 5)];
    else if (kind == 1 && i > 400 && state % 8) // repeats
      data[i] = data[i - 1 - state % 400];
    else if (kind == 2) // slowly rising numbers
      data[i] = i % 4 ? (i >> (8 * (i % 4))) & 255 : state & 15;
    else // noise
      data[i] = state;
  }
}

#endif
