// longjmp out of nested calls: volatile variables, and those that do not change
// after setjmp, have their values the second time.
#include "checksum.h"
#include <setjmp.h>

static jmp_buf outer, inner;

__attribute__((noinline)) static void leave(int depth, int code) {
  uint64_t a = next(), b = next(), c = next(), d = next();
  if (depth)
    leave(depth - 1, code);
  else if (code & 1)
    longjmp(inner, code);
  else
    longjmp(outer, code);
  add(a + b + c + d);
}

__attribute__((noinline)) static void nested(int code, double x) {
  uint64_t a = next(), b = next(), c = next(), d = next();
  int returned = setjmp(inner);
  add(returned);
  if (!returned)
    leave(code % 4, code);
  add(a);
  add(b);
  add(c * 3 + d);
  add_double(x);
}

__attribute__((noinline)) static void work(uint64_t a, uint64_t b, uint64_t c,
                                           uint64_t d, uint64_t e, uint64_t f,
                                           double x, double y, double z) {
  volatile int count = 0;
  uint64_t g = a * b, h = c ^ d, i = e + f, j = a - f, k = b | e, l = c & e;
  double u = x * y, v = y - z, w = z / (x + 1);
  int code = setjmp(outer);
  add(code);
  add(a), add(b), add(c), add(d), add(e), add(f);
  add(g), add(h), add(i), add(j), add(k), add(l);
  add_double(x), add_double(y), add_double(z);
  add_double(u), add_double(v), add_double(w);
  if (count < 20) {
    count = count + 1;
    nested(count, u + count);
    leave(count % 5, count * 2);
  }
}

int main(void) {
  work(next(), next(), next(), next(), next(), next(), fraction(), fraction(),
       fraction());
  show("setjmp");
}
