// Tail calls with more arguments than registers, and a context in a register of
// its own: Swift's asynchronous functions. Their callers give up the stack of
// arguments.
#include "../checksum.h"

struct context {
  uint64_t rounds, saved;
};
#define ASYNC __attribute__((swiftasynccall, noinline)) static void
#define PARAMETERS                                                             \
  __attribute__((swift_async_context)) struct context *m, uint64_t a,          \
      uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g,  \
      uint64_t h, uint64_t i, uint64_t j, uint64_t k, double x, double y

ASYNC finish(PARAMETERS) {
  add(a), add(b), add(c), add(d), add(e), add(f);
  add(g), add(h), add(i), add(j), add(k), add(m->saved);
  add_double(x), add_double(y);
}
ASYNC odd(PARAMETERS);
ASYNC even(PARAMETERS) {
  if (!--m->rounds)
    return finish(m, k, j, i, h, g, f, e, d, c, b, a, y, x);
  m->saved += a;
  return odd(m, b + c, c, d ^ a, e, f, g + k, h, i, j, k, a, y, x * 0.5);
}
ASYNC odd(PARAMETERS) {
  uint64_t t = next();
  if (!--m->rounds)
    return finish(m, a, c, e, g, i, k, b, d, f, h, j, x, y);
  add(m->saved ^ t);
  return even(m, k, j + t, i, h * 3, g, f, e, d - b, c, b, a, x + y, y * 0.25);
}

int main(void) {
  for (int n = 1; n != 40; ++n) {
    struct context m = {(uint64_t)n, next()};
    uint64_t a = next(), b = next(), c = next();
    even(&m, a, b, c, next(), next(), next(), next(), next(), a + b, b * c,
         a ^ c, fraction(), fraction());
    add(a), add(b), add(c);
  }
  show("tail-calls-swift");
}
