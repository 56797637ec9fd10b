// Allocated twice, the same bytes, as object file and as assembly.
// REQUIRES: run-x86_64
// RUN: %clang_stock -target x86_64-linux-gnu -O2 -S -emit-llvm %s -o %t.ll
// RUN: %llc -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -filetype=obj %t.ll -o %t.1.o
// RUN: %llc -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -filetype=obj %t.ll -o %t.2.o
// RUN: cmp %t.1.o %t.2.o
// RUN: %llc -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %t.ll -o %t.1.s
// RUN: %llc -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %t.ll -o %t.2.s
// RUN: cmp %t.1.s %t.2.s
// RUN: %clang_stock -no-pie %t.1.o -o %t.exe
// RUN: %t.exe | FileCheck %s
// CHECK: 1 7 21 35 35 21 7 1
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static void next(unsigned long row[8]) {
  unsigned long new[8];
  new[0] = 1;
  for (int i = 1; i != 8; ++i)
    new[i] = row[i - 1] + row[i];
  memcpy(row, new, sizeof new);
}

int main(void) {
  unsigned long row[8] = {1};
  for (int i = 0; i != 7; ++i)
    next(row);
  for (int i = 0; i != 8; ++i)
    printf("%lu%s", row[i], i == 7 ? "\n" : " ");
  return 0;
}
