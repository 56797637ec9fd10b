// A program without optimisation has to run as well.
// REQUIRES: run-riscv64
// RUN: %clang -target riscv64-linux-gnu -O0 -mllvm -regalloc=warpalloc -mllvm -verify-regalloc -mllvm -verify-machineinstrs -mllvm -print-regalloc-stats -c %s -o %t.o 2>%t.err
// RUN: FileCheck %s <%t.err
// RUN: %cc_riscv64 %t.o -o %t
// RUN: %run_riscv64 %t
// CHECK: warpalloc: function=fibonacci
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
int main(int count, char **arguments) { return fibonacci(10 + count - 1) != 55 || !arguments[0]; }
