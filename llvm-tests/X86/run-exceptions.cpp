// Exceptions: thrown through frames with saved registers and destructors,
// caught by type, rethrown, with values that live into the handlers.
// REQUIRES: run-x86_64
// RUN: clang++-22 -fplugin=%warpalloc -mllvm -regalloc=warpalloc -mllvm -verify-regalloc -mllvm -verify-machineinstrs -O2 %s -o %t
// RUN: clang++-22 -O2 %s -o %t.greedy
// RUN: %t >%t.out
// RUN: %t.greedy >%t.greedy.out
// RUN: diff %t.out %t.greedy.out
// RUN: FileCheck %s <%t.out
// CHECK: int 7 kept 28 2.5
// CHECK: string four kept 29 3.5
// CHECK: unknown kept 30 4.5
// CHECK: none 13 kept 31 5.5
// CHECK: destroyed 16
#include <cstdio>
#include <stdexcept>
#include <string>

static int destroyed;
struct Guard {
  long value;
  explicit Guard(long value) : value(value) {}
  ~Guard() { destroyed += value > 0; }
};

__attribute__((noinline)) static long leaf(int kind, long depth) {
  Guard guard(depth);
  switch (kind) {
  case 0:
    throw 7;
  case 1:
    throw std::runtime_error("four");
  case 2:
    throw 1.5;
  }
  return depth;
}

__attribute__((noinline)) static long nest(int kind, long depth) {
  Guard guard(depth + 1);
  if (!depth)
    return leaf(kind, 5);
  return nest(kind, depth - 1) + guard.value + depth;
}

__attribute__((noinline)) static void attempt(int kind, long kept, double x) {
  try {
    try {
      long sum = nest(kind, 2);
      std::printf("none %ld kept %ld %.1f\n", sum, kept, x);
    } catch (double) {
      throw;
    }
  } catch (int value) {
    std::printf("int %d kept %ld %.1f\n", value, kept, x);
  } catch (const std::exception &error) {
    std::printf("string %s kept %ld %.1f\n", error.what(), kept, x);
  } catch (...) {
    std::printf("unknown kept %ld %.1f\n", kept, x);
  }
}

int main() {
  for (int kind = 0; kind != 4; ++kind)
    attempt(kind, 28 + kind, 2.5 + kind);
  std::printf("destroyed %d\n", destroyed);
}
