// setjmp returns twice: volatile variables and those that do not change have
// their values the second time.
// REQUIRES: run-x86_64
// RUN: %clang -mllvm -regalloc=warpalloc -mllvm -verify-regalloc -mllvm -verify-machineinstrs -O2 %s -o %t
// RUN: %t | FileCheck %s
// CHECK: first 10 11 12 13 14 15
// CHECK: again 1 10 11 12 13 14 15 count 1
// CHECK: again 2 10 11 12 13 14 15 count 2
// CHECK: again 3 10 11 12 13 14 15 count 3
#include <setjmp.h>
#include <stdio.h>

static jmp_buf buffer;

__attribute__((noinline)) static void leave(int code) { longjmp(buffer, code); }

__attribute__((noinline)) static void work(long a, long b, long c, long d,
                                           long e, long f) {
  volatile int count = 0;
  int code = setjmp(buffer);
  if (!code)
    printf("first %ld %ld %ld %ld %ld %ld\n", a, b, c, d, e, f);
  else
    printf("again %d %ld %ld %ld %ld %ld %ld count %d\n", code, a, b, c, d, e,
           f, count);
  if (count != 3) {
    count = count + 1;
    leave(count);
  }
}

int main(void) {
  work(10, 11, 12, 13, 14, 15);
  return 0;
}
