// Compresses and expands made-up data at every level; prints sizes and
// checksums.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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

int main(int argc, char **argv) {
  uLong n = (argc > 1 ? atoi(argv[1]) : 1) * 400000ul, bound = compressBound(n);
  unsigned char *data = malloc(n), *packed = malloc(bound), *back = malloc(n);
  for (int kind = 0; kind < 4; ++kind) {
    make(data, n, kind);
    printf("kind %d crc %08lx adler %08lx\n", kind, crc32(0, data, n),
           adler32(1, data, n));
    for (int level = 0; level <= 9; ++level) {
      uLongf size = bound, out = n;
      memset(back, 0, n);
      if (compress2(packed, &size, data, n, level) != Z_OK ||
          uncompress(back, &out, packed, size) != Z_OK)
        return 1;
      printf("  level %d: %lu bytes, crc %08lx, %s\n", level, size,
             crc32(0, packed, size),
             out == n && !memcmp(data, back, n) ? "same" : "DIFFERENT");
    }
  }
  return 0;
}
