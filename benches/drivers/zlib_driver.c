// Compresses and expands made-up data at every level; prints sizes and
// checksums.
#include "made_up_data.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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
