// Coroutines: values live in frames across suspensions; awaiting another
// coroutine transfers control symmetrically, by tail calls; exceptions leave a
// coroutine.
//
// clang: -std=c++20 -fno-inline-functions
#include "checksum.h"
#include <coroutine>
#include <exception>
#include <stdexcept>
#include <utility>

namespace {
struct Generator {
  struct promise_type {
    uint64_t value = 0;
    Generator get_return_object() {
      return Generator{
          std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(uint64_t next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> handle;
  explicit Generator(std::coroutine_handle<promise_type> handle)
      : handle(handle) {}
  Generator(Generator &&other) : handle(std::exchange(other.handle, {})) {}
  ~Generator() {
    if (handle)
      handle.destroy();
  }
  bool advance() {
    handle.resume();
    return !handle.done();
  }
  uint64_t value() const { return handle.promise().value; }
};

Generator mixture(unsigned count) {
  uint64_t a = next(), b = next(), c = next(), d = next(), e = next(),
           f = next(), g = next(), h = next();
  double x = fraction(), y = fraction(), z = fraction();
  for (unsigned i = 0; i != count; ++i) {
    co_yield a + h;
    a = a * 3 + b, b ^= c >> 5, c += d, d = d << 1 | d >> 63;
    x = x * 0.5 + y;
    if (i % 3 == 0)
      co_yield b ^ g;
    e += f ^ a, f -= g, g += h * b, h ^= e;
    y = y * 0.25 + z, z = z * 0.5 + x;
    add_double(x + y + z);
  }
  add(a), add(b), add(c), add(d), add(e), add(f), add(g), add(h);
  if (count % 2)
    throw std::runtime_error("odd");
}

// A lazy task: its end resumes the one that waits for it.
struct Task {
  struct promise_type {
    uint64_t value = 0;
    std::coroutine_handle<> waiting = std::noop_coroutine();
    Task get_return_object() {
      return Task{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    struct Final {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<>
      await_suspend(std::coroutine_handle<promise_type> done) noexcept {
        return done.promise().waiting;
      }
      void await_resume() noexcept {}
    };
    Final final_suspend() noexcept { return {}; }
    void return_value(uint64_t result) { value = result; }
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
  explicit Task(std::coroutine_handle<promise_type> handle) : handle(handle) {}
  Task(Task &&other) : handle(std::exchange(other.handle, {})) {}
  ~Task() {
    if (handle)
      handle.destroy();
  }
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) {
    handle.promise().waiting = waiting;
    return handle;
  }
  uint64_t await_resume() { return handle.promise().value; }
};

Task tree(unsigned depth, uint64_t a, uint64_t b, double x) {
  uint64_t c = next(), d = next();
  add_double(x);
  if (!depth)
    co_return a * 3 + b + c;
  uint64_t left = co_await tree(depth - 1, a + c, b ^ d, x * 0.5);
  add(a), add(b), add(c), add(d), add_double(x);
  uint64_t right = co_await tree(depth - 1, left, a, x + 0.25);
  add(left ^ c), add(right + d);
  co_return left * 5 + right *b + a;
}
} // namespace

int main() {
  for (unsigned count = 5; count != 25; ++count) {
    Generator left = mixture(count), right = mixture(count + 3);
    try {
      while (left.advance() && right.advance())
        add(left.value() ^ right.value());
    } catch (const std::exception &error) {
      add(error.what()[0]);
    }
  }
  show("generators");
  Task root = tree(7, next(), next(), fraction());
  root.handle.resume();
  add(root.handle.promise().value);
  show("tasks");
}
