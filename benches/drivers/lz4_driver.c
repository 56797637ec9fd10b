// Compresses and expands made-up data with LZ4's fast and thorough compressors
// and its frame format; prints sizes, checksums and whether the data came back.
#include "made_up_data.h"
#include <lz4.h>
#include <lz4frame.h>
#include <lz4hc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static char *data, *packed, *back;
static int n, bound;

static void report(const char *what, int level, int size, int out) {
  printf("  %s %d: %d bytes, checksum %08x, %s\n", what, level, size,
         XXH32(packed, size, 0),
         out == n && !memcmp(data, back, n) ? "same" : "DIFFERENT");
  memset(back, 0, n);
}

static void frame(int level) {
  LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;
  preferences.compressionLevel = level;
  preferences.frameInfo.blockMode =
      level % 2 ? LZ4F_blockLinked : LZ4F_blockIndependent;
  preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  size_t size = LZ4F_compressFrame(packed, bound, data, n, &preferences);
  LZ4F_dctx *context;
  if (LZ4F_isError(size) ||
      LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)))
    exit(1);
  size_t from = 0, to = 0;
  while (from < size) {
    size_t room = n - to, step = size - from < 1000 ? size - from : 1000;
    size_t left =
        LZ4F_decompress(context, back + to, &room, packed + from, &step, 0);
    if (LZ4F_isError(left))
      exit(1);
    from += step;
    to += room;
    if (!left)
      break;
  }
  LZ4F_freeDecompressionContext(context);
  report("frame", level, size, to);
}

int main(int argc, char **argv) {
  n = (argc > 1 ? atoi(argv[1]) : 1) * 300000;
  bound = LZ4F_compressFrameBound(n, 0) + 1000;
  data = malloc(n), packed = malloc(bound), back = malloc(n);
  for (int kind = 0; kind < 4; ++kind) {
    make((unsigned char *)data, n, kind);
    printf("kind %d, %016llx\n", kind, (unsigned long long)XXH64(data, n, 1));
    for (int speed = 1; speed < 40; speed *= 3) {
      int size = LZ4_compress_fast(data, packed, n, bound, speed);
      report("fast", speed, size, LZ4_decompress_safe(packed, back, size, n));
    }
    for (int level = 3; level <= 12; level += 3) {
      int size = LZ4_compress_HC(data, packed, n, bound, level);
      report("thorough", level, size,
             LZ4_decompress_safe(packed, back, size, n));
    }
    for (int level = 0; level <= 9; level += 3)
      frame(level);
  }
  return 0;
}
