// Where instructions change places, remarks are about the new order: lines and
// variables are those of what stands there.
// RUN: %clang_stock -x cuda --cuda-device-only -nocudainc -nocudalib -O2 --cuda-gpu-arch=sm_90 --cuda-feature=+ptx88 -g -Xclang -debug-info-kind=constructor -emit-llvm -c %s -o %t.bc
// DEFINE: %{remarks} = %gpu -mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=8 -pass-remarks-analysis=warpalloc -pass-remarks-missed=warpalloc %t.bc -o %t.ptx
// RUN: %{remarks} 2>&1 | %FileCheck %s --check-prefix=MOVED --implicit-check-not=spilled
// RUN: %{remarks} -warpalloc-disable=reorder,redundant-reloads 2>&1 | %FileCheck %s --check-prefix=KEPT

// As it is, everything is live behind the last load but q, which is loaded again.
// KEPT: remarks-reorder.cu:[[#@LINE+17]]:11: line [[#@LINE+17]] of {{.*}} has the highest register pressure: 9 registers
// KEPT: remarks-reorder.cu:[[#@LINE+11]]:11: 'b' (4 bytes), defined at line [[#@LINE+11]] of
// KEPT: remarks-reorder.cu:[[#@LINE+11]]:11: 'c' (4 bytes), defined at line [[#@LINE+11]] of

// The loads of e and d come last, in this order; c comes third and is stored soon.
// MOVED: remarks-reorder.cu:[[#@LINE+9]]:11: line [[#@LINE+9]] of {{.*}} has the highest register pressure: 8 registers of R are live where 8 can be had: 2 for 'p', 2 for 'q', 1 for 'e', 1 for 'f', 1 for 'g', 1 for others
// MOVED: remarks-reorder.cu:[[#@LINE+9]]:11: line [[#@LINE+9]] of {{.*}} has the second highest register pressure: 8 registers
// MOVED: remarks-reorder.cu:[[#@LINE+6]]:11: line [[#@LINE+6]] of {{.*}} has the third highest register pressure: 7 registers of R are live where 8 can be had: 2 for 'p', 2 for 'q', 1 for 'b', 1 for 'c', 1 for others

extern "C" __attribute__((global)) void
kernel(const int *__restrict__ p, int *__restrict__ q) {
  int a = p[0];
  int b = p[16];
  int c = p[32];
  int d = p[48];
  int e = p[64];
  int f = p[80];
  int g = p[96];
  int h = p[112];
  q[0] = a * a;
  q[16] = b * b;
  q[32] = c * c;
  q[48] = d * d;
  q[64] = e * e;
  q[80] = f * f;
  q[96] = g * g;
  q[112] = h * h;
}
