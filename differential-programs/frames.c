// Large frames: offsets that no instruction holds, arrays of variable size, and
// variables aligned more than the stack is, with spilled values among them.
#include "checksum.h"
#include <alloca.h>
#include <string.h>

__attribute__((noinline)) static void fill(unsigned char *p, size_t size) {
  for (size_t i = 0; i < size; i += 61)
    p[i] = (unsigned char)next();
  p[size - 1] = (unsigned char)next();
}
__attribute__((noinline)) static void read_back(const unsigned char *p,
                                                size_t size) {
  for (size_t i = 0; i < size; i += 61)
    add(p[i]);
  add(p[size - 1]);
}

#define LIVE                                                                   \
  uint64_t a = next(), b = next(), c = next(), d = next(), e = next(),         \
           f = next(), g = next(), h = next(), i = next(), j = next(),         \
           k = next(), l = next();                                             \
  double u = fraction(), v = fraction(), w = fraction();
#define READ                                                                   \
  add(a), add(b), add(c), add(d), add(e), add(f), add(g), add(h), add(i),      \
      add(j), add(k), add(l);                                                  \
  add_double(u), add_double(v), add_double(w);

#define FIXED(name, size)                                                      \
  __attribute__((noinline)) static void name(void) {                           \
    unsigned char first[size], second[size];                                   \
    memset(first, 0, size), memset(second, 0, size);                           \
    LIVE fill(first, size);                                                    \
    READ fill(second, size);                                                   \
    a += b * c, d ^= e - f, g += h * i, j -= k + l, u += v * w;                \
    read_back(first, size);                                                    \
    READ read_back(second, size);                                              \
    READ                                                                       \
  }
FIXED(pages, 3000)
FIXED(kilobytes, 70 * 1024)
FIXED(megabyte, 1200 * 1024)

// The frame pointer, and with the alignment a base pointer, take registers.
__attribute__((noinline)) static void dynamic(size_t size) {
  LIVE unsigned char *first = alloca(size);
  fill(first, size);
  READ for (int n = 0; n != 3; ++n) {
    unsigned char *more = alloca(size / 2 + (size_t)n * 100);
    fill(more, size / 2);
    a += b * c, d ^= e - f, g += h * i, j -= k + l, u += v * w;
    read_back(more, size / 2);
  }
  read_back(first, size);
  READ
}

__attribute__((noinline)) static void aligned(size_t size) {
  _Alignas(256) unsigned char fixed[1000];
  memset(fixed, 0, sizeof fixed);
  LIVE unsigned char changing[size];
  _Alignas(64) unsigned char last[5000];
  memset(last, 0, sizeof last);
  add((uintptr_t)fixed % 256), add((uintptr_t)last % 64);
  fill(fixed, sizeof fixed), fill(changing, size), fill(last, sizeof last);
  READ a += b * c, d ^= e - f, g += h * i, j -= k + l, u += v * w;
  read_back(fixed, sizeof fixed), read_back(last, sizeof last);
  READ read_back(changing, size);
}

__attribute__((noinline)) static void realigned(void) {
  _Alignas(128) unsigned char fixed[6000];
  memset(fixed, 0, sizeof fixed);
  LIVE add((uintptr_t)fixed % 128);
  fill(fixed, sizeof fixed);
  READ a += b * c, d ^= e - f, g += h * i, j -= k + l, u += v * w;
  read_back(fixed, sizeof fixed);
  READ
}

// Outgoing arguments of 5 KiB, by value, and many scalars on the stack.
struct block {
  uint64_t words[640];
};
__attribute__((noinline)) static uint64_t
take(uint64_t a, struct block b, uint64_t c, double d, uint64_t e, uint64_t f,
     uint64_t g, uint64_t h, uint64_t i, uint64_t j, uint64_t k, uint64_t l) {
  add_double(d);
  for (int n = 0; n < 640; n += 7)
    add(b.words[n]);
  return a + c * 3 + e * 5 + f * 7 + g * 11 + h * 13 + i * 17 + j * 19 +
         k * 23 + l * 29;
}
__attribute__((noinline)) static void pass(void) {
  struct block block;
  for (int n = 0; n != 640; ++n)
    block.words[n] = next();
  LIVE add(take(a, block, b, u, c, d, e, f, g, h, i, j));
  READ block.words[7] = k;
  add(take(l, block, k, v, j, i, h, g, f, e, d, c));
  READ
}

int main(void) {
  pages(), show("pages");
  kilobytes(), show("kilobytes");
  megabyte(), show("megabyte");
  dynamic(500), dynamic(70000), show("dynamic");
  aligned(10), aligned(9000), show("aligned");
  realigned(), show("realigned");
  pass(), show("pass");
}
