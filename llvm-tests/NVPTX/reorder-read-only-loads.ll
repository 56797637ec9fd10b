; Eight values are loaded from memory that nobody writes, then all are used and stored
; where they might have come from. Each load moves down to its use all the same: LLVM's
; tables say that such a load has side effects, but it has none.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=8 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry read_only(
; CHECK-NOT:     .local
; CHECK:         st.global
; CHECK-NOT:     .local
; CHECK:         ld.global.nc
; CHECK-NOT:     .local

; STATS: function=read_only {{.*}}spilled=0
define ptx_kernel void @read_only(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a0 = getelementptr i8, ptr addrspace(1) %p, i64 0
  %v0 = load i32, ptr addrspace(1) %a0, !invariant.load !0
  %a1 = getelementptr i8, ptr addrspace(1) %p, i64 64
  %v1 = load i32, ptr addrspace(1) %a1, !invariant.load !0
  %a2 = getelementptr i8, ptr addrspace(1) %p, i64 128
  %v2 = load i32, ptr addrspace(1) %a2, !invariant.load !0
  %a3 = getelementptr i8, ptr addrspace(1) %p, i64 192
  %v3 = load i32, ptr addrspace(1) %a3, !invariant.load !0
  %a4 = getelementptr i8, ptr addrspace(1) %p, i64 256
  %v4 = load i32, ptr addrspace(1) %a4, !invariant.load !0
  %a5 = getelementptr i8, ptr addrspace(1) %p, i64 320
  %v5 = load i32, ptr addrspace(1) %a5, !invariant.load !0
  %a6 = getelementptr i8, ptr addrspace(1) %p, i64 384
  %v6 = load i32, ptr addrspace(1) %a6, !invariant.load !0
  %a7 = getelementptr i8, ptr addrspace(1) %p, i64 448
  %v7 = load i32, ptr addrspace(1) %a7, !invariant.load !0
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

!0 = !{}
