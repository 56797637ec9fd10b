; Eight values are loaded, then all are used. Where the stores cannot change what is
; loaded, each load moves down to its use, and nothing is spilled. Where they can, the
; order stays.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=8 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=8 -warpalloc-disable=reorder -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s --check-prefix=OFF <%t.stats

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry apart(
; CHECK-NOT:     .local
; CHECK:         st.global
; CHECK-NOT:     .local
; CHECK:         ld.global
; CHECK-NOT:     .local
; CHECK-LABEL: .visible .entry alike(
; CHECK-NOT:     st.global
; CHECK-COUNT-8: ld.global.b32
; CHECK-COUNT-8: st.global.b32

; STATS: function=apart {{.*}}spilled=0
; STATS: function=alike {{.*}}spilled={{[1-9]}}

; OFF: function=apart {{.*}}spilled={{[1-9]}}
define ptx_kernel void @apart(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q) {
  %a0 = getelementptr i8, ptr addrspace(1) %p, i64 0
  %v0 = load i32, ptr addrspace(1) %a0
  %a1 = getelementptr i8, ptr addrspace(1) %p, i64 64
  %v1 = load i32, ptr addrspace(1) %a1
  %a2 = getelementptr i8, ptr addrspace(1) %p, i64 128
  %v2 = load i32, ptr addrspace(1) %a2
  %a3 = getelementptr i8, ptr addrspace(1) %p, i64 192
  %v3 = load i32, ptr addrspace(1) %a3
  %a4 = getelementptr i8, ptr addrspace(1) %p, i64 256
  %v4 = load i32, ptr addrspace(1) %a4
  %a5 = getelementptr i8, ptr addrspace(1) %p, i64 320
  %v5 = load i32, ptr addrspace(1) %a5
  %a6 = getelementptr i8, ptr addrspace(1) %p, i64 384
  %v6 = load i32, ptr addrspace(1) %a6
  %a7 = getelementptr i8, ptr addrspace(1) %p, i64 448
  %v7 = load i32, ptr addrspace(1) %a7
  %s0 = mul i32 %v0, %v0
  %b0 = getelementptr i8, ptr addrspace(1) %q, i64 0
  store i32 %s0, ptr addrspace(1) %b0
  %s1 = mul i32 %v1, %v1
  %b1 = getelementptr i8, ptr addrspace(1) %q, i64 64
  store i32 %s1, ptr addrspace(1) %b1
  %s2 = mul i32 %v2, %v2
  %b2 = getelementptr i8, ptr addrspace(1) %q, i64 128
  store i32 %s2, ptr addrspace(1) %b2
  %s3 = mul i32 %v3, %v3
  %b3 = getelementptr i8, ptr addrspace(1) %q, i64 192
  store i32 %s3, ptr addrspace(1) %b3
  %s4 = mul i32 %v4, %v4
  %b4 = getelementptr i8, ptr addrspace(1) %q, i64 256
  store i32 %s4, ptr addrspace(1) %b4
  %s5 = mul i32 %v5, %v5
  %b5 = getelementptr i8, ptr addrspace(1) %q, i64 320
  store i32 %s5, ptr addrspace(1) %b5
  %s6 = mul i32 %v6, %v6
  %b6 = getelementptr i8, ptr addrspace(1) %q, i64 384
  store i32 %s6, ptr addrspace(1) %b6
  %s7 = mul i32 %v7, %v7
  %b7 = getelementptr i8, ptr addrspace(1) %q, i64 448
  store i32 %s7, ptr addrspace(1) %b7
  ret void
}

define ptx_kernel void @alike(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a0 = getelementptr i8, ptr addrspace(1) %p, i64 0
  %v0 = load i32, ptr addrspace(1) %a0
  %a1 = getelementptr i8, ptr addrspace(1) %p, i64 64
  %v1 = load i32, ptr addrspace(1) %a1
  %a2 = getelementptr i8, ptr addrspace(1) %p, i64 128
  %v2 = load i32, ptr addrspace(1) %a2
  %a3 = getelementptr i8, ptr addrspace(1) %p, i64 192
  %v3 = load i32, ptr addrspace(1) %a3
  %a4 = getelementptr i8, ptr addrspace(1) %p, i64 256
  %v4 = load i32, ptr addrspace(1) %a4
  %a5 = getelementptr i8, ptr addrspace(1) %p, i64 320
  %v5 = load i32, ptr addrspace(1) %a5
  %a6 = getelementptr i8, ptr addrspace(1) %p, i64 384
  %v6 = load i32, ptr addrspace(1) %a6
  %a7 = getelementptr i8, ptr addrspace(1) %p, i64 448
  %v7 = load i32, ptr addrspace(1) %a7
  %s0 = mul i32 %v0, %v0
  %b0 = getelementptr i8, ptr addrspace(1) %q, i64 0
  store i32 %s0, ptr addrspace(1) %b0
  %s1 = mul i32 %v1, %v1
  %b1 = getelementptr i8, ptr addrspace(1) %q, i64 64
  store i32 %s1, ptr addrspace(1) %b1
  %s2 = mul i32 %v2, %v2
  %b2 = getelementptr i8, ptr addrspace(1) %q, i64 128
  store i32 %s2, ptr addrspace(1) %b2
  %s3 = mul i32 %v3, %v3
  %b3 = getelementptr i8, ptr addrspace(1) %q, i64 192
  store i32 %s3, ptr addrspace(1) %b3
  %s4 = mul i32 %v4, %v4
  %b4 = getelementptr i8, ptr addrspace(1) %q, i64 256
  store i32 %s4, ptr addrspace(1) %b4
  %s5 = mul i32 %v5, %v5
  %b5 = getelementptr i8, ptr addrspace(1) %q, i64 320
  store i32 %s5, ptr addrspace(1) %b5
  %s6 = mul i32 %v6, %v6
  %b6 = getelementptr i8, ptr addrspace(1) %q, i64 384
  store i32 %s6, ptr addrspace(1) %b6
  %s7 = mul i32 %v7, %v7
  %b7 = getelementptr i8, ptr addrspace(1) %q, i64 448
  store i32 %s7, ptr addrspace(1) %b7
  ret void
}
