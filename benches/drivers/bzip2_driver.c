// Compresses and expands made-up data with blocks of several sizes, in one call
// and piecemeal; prints sizes and whether the data came back.
#include "made_up_data.h"
#include <bzlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Without its own input and output the library asks for this one.
void bz_internal_error(int code) {
  fprintf(stderr, "bzip2: internal error %d\n", code);
  exit(1);
}

static unsigned checksum(const char *data, unsigned n) {
  unsigned sum = 2166136261u;
  for (unsigned i = 0; i < n; ++i)
    sum = (sum ^ (unsigned char)data[i]) * 16777619u;
  return sum;
}

// Expands with little memory, a few bytes at a time.
static unsigned expand_slowly(char *packed, unsigned size, char *back,
                              unsigned room) {
  bz_stream stream = {0};
  if (BZ2_bzDecompressInit(&stream, 0, 1) != BZ_OK)
    return 0;
  stream.next_out = back;
  stream.avail_out = room;
  int result = BZ_OK;
  for (unsigned at = 0, step = 1; at < size && result == BZ_OK; at += step) {
    step = 1 + at % 97;
    if (step > size - at)
      step = size - at;
    stream.next_in = packed + at;
    stream.avail_in = step;
    result = BZ2_bzDecompress(&stream);
  }
  unsigned n = stream.total_out_lo32;
  BZ2_bzDecompressEnd(&stream);
  return result == BZ_STREAM_END ? n : 0;
}

int main(int argc, char **argv) {
  unsigned n = (argc > 1 ? atoi(argv[1]) : 1) * 150000u;
  unsigned bound = n + n / 100 + 600;
  char *data = malloc(n), *packed = malloc(bound), *back = malloc(n);
  for (int kind = 0; kind < 4; ++kind) {
    make((unsigned char *)data, n, kind);
    for (int level = 1; level <= 9; level += 4) {
      unsigned size = bound, out = n;
      if (BZ2_bzBuffToBuffCompress(packed, &size, data, n, level, 0, 30))
        return 1;
      memset(back, 0, n);
      if (BZ2_bzBuffToBuffDecompress(back, &out, packed, size, 0, 0))
        return 1;
      int same = out == n && !memcmp(data, back, n);
      memset(back, 0, n);
      out = expand_slowly(packed, size, back, n);
      same &= out == n && !memcmp(data, back, n);
      printf("kind %d level %d: %u bytes, checksum %08x, %s\n", kind, level,
             size, checksum(packed, size), same ? "same" : "DIFFERENT");
    }
  }
  return 0;
}
