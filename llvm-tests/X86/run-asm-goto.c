// An output of asm goto is right on both ways out, also if it lives in memory.
// REQUIRES: run-x86_64
// RUN: %clang -mllvm -regalloc=warpalloc -mllvm -verify-regalloc -mllvm -verify-machineinstrs -O2 %s -o %t
// RUN: %t | FileCheck %s
// CHECK: falls 42 jumps 43
#include <stdio.h>

#define CLOBBER_ALL                                                            \
  __asm__ volatile("" ::                                                       \
                       : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp",      \
                         "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15")

__attribute__((noinline)) static long either(long in) {
  long out;
  __asm__ goto("lea 2(%1), %0; test $1, %b1; jne %l2"
               : "=r"(out)
               : "r"(in)
               : "cc"
               : jump);
  CLOBBER_ALL;
  return out;
jump:
  CLOBBER_ALL;
  return out;
}

int main(void) {
  printf("falls %ld jumps %ld\n", either(40), either(41));
  return 0;
}
