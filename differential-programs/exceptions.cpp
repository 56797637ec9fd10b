// Exceptions: thrown through frames with saved registers and destructors,
// caught by type, rethrown, thrown while values are live into the handlers.
#include "checksum.h"
#include <stdexcept>
#include <string>

namespace {
struct Guard {
  uint64_t value;
  explicit Guard(uint64_t value) : value(value) { add(value + 1); }
  ~Guard() { add(value); }
};
struct Own {
  uint64_t code;
  double amount;
};

[[gnu::noinline]] uint64_t leaf(unsigned kind, uint64_t a, double x) {
  Guard guard(a);
  switch (kind % 7) {
  case 0:
    throw static_cast<int>(a & 1023);
  case 1:
    throw std::runtime_error("a" + std::to_string(a));
  case 2:
    throw x;
  case 3:
    throw Own{a, x};
  case 4:
    throw std::string("text");
  }
  return a * 3;
}

[[gnu::noinline]] uint64_t nest(unsigned kind, unsigned depth, uint64_t a,
                                uint64_t b, double x, double y) {
  Guard first(a ^ b);
  uint64_t c = next(), d = next(), e = next();
  if (!depth)
    return leaf(kind, a + c, x + y) + b + c + d + e;
  Guard second(c + d);
  uint64_t result = nest(kind, depth - 1, b, a + depth, y, x);
  add_double(x - y);
  return result + c * 3 + d * 5 + e * 7;
}

// Many values, integers and not, live into the landing pad and past it.
[[gnu::noinline]] void attempt(unsigned kind, unsigned depth) {
  uint64_t a = next(), b = next(), c = next(), d = next(), e = next(),
           f = next();
  uint64_t g = a + b, h = c ^ d, i = e * f, j = a - d, k = b | c, l = d & f;
  double u = fraction(), v = fraction(), w = fraction(), x = fraction();
  double y = u * v, z = w - x;
  uint64_t changing = a;
  try {
    changing += b;
    try {
      changing += nest(kind, depth, a, b, u, v);
      changing ^= c;
      changing += leaf(kind / 7, d, w);
    } catch (double amount) {
      add_double(amount);
      add(changing + e);
      throw;
    } catch (const Own &own) {
      add(own.code + f);
      if (own.code & 1)
        throw std::runtime_error("odd");
      add_double(own.amount * u);
    }
    add(changing + g);
  } catch (int code) {
    add(code + changing + h);
  } catch (const std::exception &error) {
    for (const char *p = error.what(); *p; ++p)
      add(*p);
    add(changing + i);
  } catch (...) {
    add(changing * 3);
  }
  add(a), add(b), add(c), add(d), add(e), add(f), add(changing);
  add(g), add(h), add(i), add(j), add(k), add(l);
  add_double(u), add_double(v), add_double(w), add_double(x), add_double(y),
      add_double(z);
}

// A loop around the pad: what it changes goes round by the handler.
[[gnu::noinline]] void loop(unsigned rounds) {
  uint64_t a = 1, b = 2, c = 3, d = 4, e = 5;
  double x = 1;
  for (unsigned round = 0; round != rounds; ++round) {
    try {
      a += leaf(round, b, x);
      b ^= a >> 3;
    } catch (int code) {
      b += code;
      c ^= a;
      continue;
    } catch (double amount) {
      x = x * 0.5 + amount * 0.25;
      d += c;
    } catch (...) {
      e += d ^ round;
    }
    c += e;
  }
  add(a), add(b), add(c), add(d), add(e), add_double(x);
}
} // namespace

int main() {
  for (unsigned kind = 0; kind != 49; ++kind)
    attempt(kind, kind % 4);
  show("attempt");
  loop(60);
  show("loop");
}
