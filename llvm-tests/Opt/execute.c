// A function for each rule, executed before and after: the same output, and nothing is left
// on the stack.
// REQUIRES: run-x86_64
// RUN: %clang_stock -O2 -Xclang -disable-llvm-passes -fno-builtin -c -emit-llvm %s -o - | opt-22 -passes='function(sroa,early-cse,simplifycfg,loop(loop-rotate),instcombine<no-verify-fixpoint>)' -o %t.before.bc
// RUN: %opt -passes=warpalloc -verify-each %t.before.bc -o %t.after.bc
// RUN: llvm-dis %t.before.bc -o - | %FileCheck %s --check-prefix=BEFORE
// RUN: llvm-dis %t.after.bc -o - | %FileCheck %s --check-prefix=AFTER
// RUN: %clang_stock -O1 %t.before.bc -o %t.before && %t.before >%t.before.out
// RUN: %clang_stock -O1 %t.after.bc -o %t.after && %t.after >%t.after.out
// RUN: cmp %t.before.out %t.after.out
// RUN: %FileCheck %s <%t.after.out

int printf(const char *, ...);
#define KEEP __attribute__((noinline))

// BEFORE-LABEL: @load_element(
// BEFORE: alloca
// AFTER-LABEL: @load_element(
// AFTER-NOT: alloca
// AFTER: ret
KEEP int load_element(int i, int x) {
  int a[3] = {x, 2 * x, 3 * x};
  return a[i];
}

// BEFORE-LABEL: @store_element(
// BEFORE: alloca
// AFTER-LABEL: @store_element(
// AFTER-NOT: alloca
// AFTER: ret
KEEP int store_element(int i, int x) {
  int a[3] = {1, 10, 100};
  a[i] = x;
  return a[0] + 7 * a[1] + 49 * a[2];
}

// The index counts from the second row.
// BEFORE-LABEL: @row(
// BEFORE: alloca
// AFTER-LABEL: @row(
// AFTER-NOT: alloca
// AFTER: ret
KEEP int row(int i, int x) {
  int a[2][2] = {{x, x + 1}, {x + 2, x + 3}};
  int *second = a[1];
  return second[i] + 10 * a[0][0];
}

struct three {
  int values[3];
};

// BEFORE-LABEL: @select_copy(
// BEFORE: alloca
// AFTER-LABEL: @select_copy(
// AFTER-NOT: alloca
// AFTER: ret
KEEP void select_copy(struct three *to, const struct three *from, int x) {
  struct three own = {{x, 2 * x, 3 * x}};
  const struct three *chosen = x > 2 ? from : &own;
  *to = *chosen;
}

// BEFORE-LABEL: @phi_copy(
// BEFORE: alloca
// AFTER-LABEL: @phi_copy(
// AFTER-NOT: alloca
// AFTER: ret
KEEP void phi_copy(struct three *to, struct three **from, int x) {
  struct three own = {{x, 2 * x, 3 * x}};
  const struct three *chosen = &own;
  if (x > 2)
    chosen = *from;
  *to = *chosen;
}

// BEFORE-LABEL: @unroll(
// BEFORE: alloca
// AFTER-LABEL: @unroll(
// AFTER-NOT: alloca
// AFTER: ret
KEEP int unroll(int start) {
  int a[5], sum = 0;
  for (int i = 0; i < 5; ++i)
    a[i] = start * i + 3;
  for (int i = start; i != start + 5; ++i)
    sum = 3 * sum + a[i - start];
  for (int i = 4; i >= 0; --i)
    sum = 5 * sum + a[i];
  return sum;
}

// Written in words and bytes, read in words.
// BEFORE-LABEL: @table(
// BEFORE: alloca
// AFTER-LABEL: @table(
// AFTER-NOT: alloca
// AFTER: ret
KEEP int table(int i) {
  int a[12] = {0};
  a[3] = 7;
  a[10] = -5;
  ((char *)a)[13] = 2;
  return a[i];
}

// Filled by a loop.
// BEFORE-LABEL: @squares(
// BEFORE: alloca
// AFTER-LABEL: @squares(
// AFTER-NOT: alloca
// AFTER: ret
KEEP float squares(int i) {
  float a[64];
  for (int k = 0; k < 64; ++k)
    a[k] = k * k * 0.5f;
  return a[i];
}

// Elements in words, the last of which is the second word's.
// BEFORE-LABEL: @bytes(
// BEFORE: alloca
// AFTER-LABEL: @bytes(
// AFTER-NOT: alloca
// AFTER: ret
KEEP int bytes(int to, int from, signed char x) {
  signed char a[8] = {x, -1, 2 * x, 3, 4, x, 6, 7};
  a[to] = -x;
  return 1000 * a[from] + 10 * a[5] + a[0];
}

// BEFORE-LABEL: @halves(
// BEFORE: alloca
// AFTER-LABEL: @halves(
// AFTER-NOT: alloca
// AFTER: ret
KEEP int halves(int i, short x) {
  short a[3][2] = {{x, 1}, {2, 3}, {4, 5 * x}};
  short *second = a[1];
  second[i] += 7;
  return a[0][0] + 10 * a[0][1] + 100 * a[1][0] + 1000 * a[1][1] + a[2][0] + a[2][1];
}

static void add(int *sum, const int *values, int by) {
  for (int i = 0; i < 4; ++i)
    *sum += by * values[i];
}

// BEFORE-LABEL: @inline_calls(
// BEFORE: call void @add(
// AFTER-LABEL: @inline_calls(
// AFTER-NOT: alloca
// AFTER-NOT: call
// AFTER: ret
KEEP int inline_calls(int x) {
  int sum = x, values[4] = {1, x, x * x, 4};
  add(&sum, values, 2);
  add(&sum, values, x);
  return sum;
}

int main(void) {
  struct three other = {{9, 8, 7}}, *place = &other, to;
  for (int i = 0; i < 3; ++i)
    printf("%d %d ", load_element(i, 5), store_element(i, 11));
  for (int i = -2; i < 2; ++i)
    printf("%d ", row(i, 4));
  for (int x = 1; x < 5; ++x) {
    select_copy(&to, &other, x);
    printf("%d%d%d ", to.values[0], to.values[1], to.values[2]);
    phi_copy(&to, &place, x + 1);
    printf("%d%d%d ", to.values[0], to.values[1], to.values[2]);
  }
  for (int i = 2; i < 12; ++i)
    printf("%d ", table(i));
  for (int i = 0; i < 64; i += 21)
    printf("%g ", squares(i));
  for (int i = 0; i < 8; ++i)
    printf("%d %d ", bytes(i, (i + i / 2) % 8, 9), halves(i % 6 - 2, -300));
  for (int x = -1; x < 3; ++x)
    printf("%d %d ", unroll(x), inline_calls(x));
  printf("\n");
}
// CHECK: 5 4981 10 4978 15 610 44 45 46 47 123 246 246 987 987 987 987 987 0 519 0 0 0 0 0 0 -5 0 0 220.5 882 1984.5 -8919 1421 -8901 1484 3099 2114 4099 8414 6099 1421 6919 1421 -901 1421 18099 1484 952538 4 1136718 10 1320898 22 1505078 46
