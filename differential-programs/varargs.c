// Variable arguments: more integers and floating-point numbers than there are
// registers for them, mixed; lists that are copied, passed on and read twice.
#include "checksum.h"
#include <stdarg.h>

struct pair {
  long first;
  double second;
};
struct large {
  long values[5];
};

__attribute__((noinline)) static void read_list(const char *format,
                                                va_list list) {
  for (; *format; ++format)
    switch (*format) {
    case 'i':
      add(va_arg(list, int));
      break;
    case 'l':
      add(va_arg(list, long));
      break;
    case 'd':
      add_double(va_arg(list, double));
      break;
    case 'q': {
      __int128 value = va_arg(list, __int128);
      add((uint64_t)value);
      add((uint64_t)(value >> 64));
      break;
    }
    case 'p': {
      struct pair value = va_arg(list, struct pair);
      add(value.first);
      add_double(value.second);
      break;
    }
    case 's': {
      struct large value = va_arg(list, struct large);
      for (int i = 0; i != 5; ++i)
        add(value.values[i]);
    }
    }
}

__attribute__((noinline)) static void twice(const char *format, ...) {
  va_list list, copy;
  uint64_t a = next(), b = next();
  double x = fraction();
  va_start(list, format);
  va_copy(copy, list);
  read_list(format, list);
  add(a);
  read_list(format, copy);
  va_end(copy);
  va_end(list);
  add(b);
  add_double(x);
}

__attribute__((noinline)) static double direct(int count, ...) {
  va_list list;
  double total = 0;
  va_start(list, count);
  for (int i = 0; i != count; ++i) {
    add(va_arg(list, long));
    total = total * 0.5 + va_arg(list, double);
  }
  va_end(list);
  return total;
}

__attribute__((noinline)) static void many(void) {
  long a = next(), b = next(), c = next(), d = next(), e = next(), f = next();
  double u = fraction(), v = fraction(), w = fraction(), x = fraction();
  __int128 q = ((__int128)a << 64) + b;
  struct pair p = {c, v};
  struct large s = {{a, b, c, d, e}};
  add_double(direct(12, a, u, b, v, c, w, d, x, e, u, f, v, a, w, b, x, c, u, d,
                    v, e, w, f, x));
  twice("ildildild", 1, a, u, 2, b, v, 3, c, w);
  twice("qpsqpsdil", q, p, s, q + a, p, s, x, 4, d);
  twice("ddddddddddllllllllll", u, v, w, x, u + v, u - v, w + x, w - x, u * w,
        v * x, a, b, c, d, e, f, a + b, c + d, e + f, a - f);
  twice("pppppppp", p, p, p, p, p, p, p, p);
  add(a), add(b), add(c), add(d), add(e), add(f);
  add_double(u), add_double(v), add_double(w), add_double(x);
}

int main(void) {
  for (int i = 0; i != 10; ++i)
    many();
  show("varargs");
}
