// Variable arguments: al counts the vector registers; integers and doubles come
// from registers, then from the stack.
// REQUIRES: run-x86_64
// RUN: %clang -mllvm -regalloc=warpalloc -mllvm -verify-regalloc -mllvm -verify-machineinstrs -O2 %s -o %t
// RUN: %t | FileCheck %s
// RUN: %clang -S -mllvm -regalloc=warpalloc -mllvm -verify-regalloc -O2 %s -o - | FileCheck %s --check-prefix=ASM
// CHECK: 78 39.0
// ASM-LABEL: sum:
// ASM: testb %al, %al
// ASM: mov{{aps|apd}} %xmm0, {{.*}}(%rsp)
// ASM-LABEL: main:
// ASM: movb $8, %al
// ASM: callq sum
#include <stdarg.h>
#include <stdio.h>

__attribute__((noinline)) double sum(long *integers, int count, ...) {
  va_list list;
  double total = 0;
  va_start(list, count);
  for (int i = 0; i != count; ++i) {
    *integers += va_arg(list, long);
    total += va_arg(list, double);
  }
  va_end(list);
  return total;
}

int main(void) {
  long integers = 0;
  double total =
      sum(&integers, 12, 1L, 0.5, 2L, 1.0, 3L, 1.5, 4L, 2.0, 5L, 2.5, 6L, 3.0,
          7L, 3.5, 8L, 4.0, 9L, 4.5, 10L, 5.0, 11L, 5.5, 12L, 6.0);
  printf("%ld %.1f\n", integers, total);
  return 0;
}
