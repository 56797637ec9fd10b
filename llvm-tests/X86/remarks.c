// On a CPU remarks tell of spilled values and of lines with high pressure; behind a call
// there are fewer registers. They change no code, and nobody hears of them unasked.
// Variables have their names whether LLVM describes them by registers or by
// instructions.
// DEFINE: %{compile} = %clang -target x86_64-linux-gnu -O2 -c %s -mllvm -regalloc=warpalloc -mllvm -verify-regalloc
// DEFINE: %{remarks} = -Rpass-analysis=warpalloc -Rpass-missed=warpalloc
// RUN: %{compile} -g -o %t.o 2>%t.quiet
// RUN: count 0 <%t.quiet
// RUN: %{compile} -g -o %t.remarks.o %{remarks} 2>&1 | %FileCheck %s --implicit-check-not=warps
// RUN: cmp %t.o %t.remarks.o
// RUN: %{compile} -g -o %t.remarks.o %{remarks} -mllvm -experimental-debug-variable-locations=false 2>&1 | %FileCheck %s --implicit-check-not=warps
// RUN: %{compile} -o %t.remarks.o %{remarks} 2>&1 | %FileCheck %s --check-prefix=LINES
// RUN: %{compile} -g -o %t.remarks.o -fsave-optimization-record -foptimization-record-file=%t.yaml
// RUN: %FileCheck %s --check-prefix=YAML <%t.yaml

// CHECK: remarks.c:[[#%u,F:@LINE+17]]:1: remark: 2 values of 'f' are spilled: 2 stores and [[#]] reload{{s?}}
// CHECK: remarks.c:[[#F+4]]:{{[0-9]+}}: remark: line [[#F+4]] of {{.*}}remarks.c has the highest register pressure: 8 registers of GR32 are live where 6 can be had: 1 for 'a', 1 for 'b', 1 for
// CHECK: remark: line [[#]] of {{.*}}remarks.c has the second highest register pressure
// CHECK: remarks.c:[[#F+4]]:{{[0-9]+}}: remark: 'a' (4 bytes), first used at line [[#F+4]] of {{.*}}remarks.c, is spilled: 1 store and [[#]] reload
// CHECK: remarks.c:[[#F+4]]:{{[0-9]+}}: remark: 'b' (4 bytes), first used at line [[#F+4]] of

// LINES: has the highest register pressure: {{.*}} can be had; compile with -g to have variables named
// LINES: a value without a name (%[[#]], 4 bytes), first used at line [[#]] of

// YAML: --- !Missed
// YAML: Pass:{{ +}}warpalloc
// YAML: Name:{{ +}}Spilled
// YAML: - Value:{{ +}}a
// YAML: - Stores:{{ +}}'1'

int g(const int *p, int n);

int f(const int *p, int n) {
  int a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], h = p[5], i = p[6];
  int j = p[7], k = p[8], l = p[9], m = p[10], sum = 0;
  for (int t = 0; t < n; t++) {
    sum += g(p, t) * a + b;
    sum ^= c + d * e + h * i + j;
    sum -= k * l * m;
  }
  return sum;
}
