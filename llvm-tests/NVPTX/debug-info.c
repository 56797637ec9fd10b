// -g changes no code but for the register with the address of the frame, and a
// kernel that is spilled still has its line table.
// RUN: %clang_stock -target nvptx64-nvidia-cuda -march=sm_90 -O2 -S -emit-llvm %s -o %t.ll
// RUN: %clang_stock -target nvptx64-nvidia-cuda -march=sm_90 -O2 -g -S -emit-llvm %s -o - | sed 's/DebugDirectivesOnly/FullDebug/' >%t.g.ll
// RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=8 %t.ll -o %t.ptx
// RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=8 %t.g.ll -o %t.g.ptx
// RUN: sed -n '/^{/,/^}/p' %t.ptx | grep -E '^[[:space:]]+[a-z@{}.]' | grep -vE '^[[:space:]]+\.loc' | grep -v '[.]reg .b32' | sed 's,[[:space:]]*//.*,,; s,\[.SPL,[FRAME,' >%t.code
// RUN: sed -n '/^{/,/^}/p' %t.g.ptx | grep -E '^[[:space:]]+[a-z@{}.]' | grep -vE '^[[:space:]]+\.loc' | grep -v '[.]reg .b32' | sed 's,[[:space:]]*//.*,,' >%t.g.wide
// RUN: sed -E '/%r[0-9]+, __local_depot0/d; s/(local.*)\[%r[0-9]+/\1[FRAME/' %t.g.wide >%t.g.code
// RUN: diff %t.code %t.g.code
// RUN: %FileCheck %s <%t.g.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -g -o %t.cubin %t.g.ptx %}

__attribute__((device_kernel)) void kernel(int *p, const int *q, int n) {
  int a = q[0], b = q[1], c = q[2], d = q[3], e = q[4];
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += p[i] * a;
    p[i] = sum ^ b;
    sum += c * (d + e);
  }
  p[n] = sum + a + b + c + d + e;
}

// CHECK-LABEL: .visible .entry kernel(
// CHECK:         mov.b32 [[FRAME:%r[0-9]+]], __local_depot0;
// CHECK:         .loc 1 [[#@LINE-12]] 11
// CHECK:         st.local.b32 {{\[}}[[FRAME]]{{.*}}], %r{{[0-9]+}}; // 4-byte Folded Spill
// CHECK:         .loc 1 [[#@LINE-11]] 12
// CHECK:         .loc 1 [[#@LINE-11]] 16
// CHECK:         .section .debug_info
// CHECK:         // DW_AT_name
