// What CMake does first with a compiler: a program without optimisation, with and without
// debug information. It has to run.
// REQUIRES: run-x86_64
// RUN: %clang -O0 -mllvm -regalloc=warpalloc -mllvm -verify-machineinstrs %s -o %t && %t
// RUN: %clang -O0 -g -mllvm -regalloc=warpalloc -mllvm -verify-machineinstrs %s -o %t && %t
// RUN: %clang -O0 -S -mllvm -regalloc=warpalloc -mllvm -print-regalloc-stats %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: warpalloc: function=fibonacci
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
int main(int count, char **arguments) { return fibonacci(10 + count - 1) != 55 || !arguments[0]; }
