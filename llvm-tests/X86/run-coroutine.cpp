// A coroutine: values live in its frame across suspensions.
// REQUIRES: run-x86_64
// RUN: clang++-22 -fplugin=%warpalloc -mllvm -regalloc=warpalloc -mllvm -verify-regalloc -mllvm -verify-machineinstrs -std=c++20 -O2 -fno-inline %s -o %t
// RUN: %t | FileCheck %s
// CHECK: 0 1 1 2 3 5 8 13 21 34 sum 88
#include <coroutine>
#include <cstdio>

struct Generator {
  struct promise_type {
    long value = 0;
    Generator get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

static Generator fibonacci(int count) {
  long a = 0, b = 1;
  for (int i = 0; i != count; ++i) {
    co_yield a;
    long next = a + b;
    a = b;
    b = next;
  }
}

int main() {
  Generator numbers = fibonacci(10);
  long sum = 0;
  for (numbers.handle.resume(); !numbers.handle.done(); numbers.handle.resume()) {
    std::printf("%ld ", numbers.handle.promise().value);
    sum += numbers.handle.promise().value;
  }
  std::printf("sum %ld\n", sum);
  numbers.handle.destroy();
}
