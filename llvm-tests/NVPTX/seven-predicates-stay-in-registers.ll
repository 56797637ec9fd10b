; Seven predicates fit: nothing is spilled, whatever the budget of 32-bit
; registers is.
; RUN: %gpu -mcpu=sm_80 -nvptx-regalloc-pressure-limit=4 -warpalloc-disable=uniform -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry seven(
; CHECK-NOT:     .local
; CHECK:         .reg .pred %p<8>;
; CHECK-NEXT:    .reg .b32 %r<3>;
; CHECK-COUNT-7: setp.lt.s32
; CHECK-COUNT-7: selp.b32 %r{{[0-9]+}}, 1, 2, %p{{[0-9]+}};
; CHECK-NOT:     local
; CHECK:         ret;

; STATS: used.R=4 maxlive.R=4 budget.R=4 used.P=7 maxlive.P=7 budget.P=7 spilled=0 stores=0 reloads=0
define ptx_kernel void @seven(ptr addrspace(1) %p, i32 %n) {
  %v0 = load volatile i32, ptr addrspace(1) %p
  %p0 = icmp slt i32 %v0, %n
  %v1 = load volatile i32, ptr addrspace(1) %p
  %p1 = icmp slt i32 %v1, %n
  %v2 = load volatile i32, ptr addrspace(1) %p
  %p2 = icmp slt i32 %v2, %n
  %v3 = load volatile i32, ptr addrspace(1) %p
  %p3 = icmp slt i32 %v3, %n
  %v4 = load volatile i32, ptr addrspace(1) %p
  %p4 = icmp slt i32 %v4, %n
  %v5 = load volatile i32, ptr addrspace(1) %p
  %p5 = icmp slt i32 %v5, %n
  %v6 = load volatile i32, ptr addrspace(1) %p
  %p6 = icmp slt i32 %v6, %n
  %s0 = select i1 %p0, i32 1, i32 2
  store volatile i32 %s0, ptr addrspace(1) %p
  %s1 = select i1 %p1, i32 1, i32 2
  store volatile i32 %s1, ptr addrspace(1) %p
  %s2 = select i1 %p2, i32 1, i32 2
  store volatile i32 %s2, ptr addrspace(1) %p
  %s3 = select i1 %p3, i32 1, i32 2
  store volatile i32 %s3, ptr addrspace(1) %p
  %s4 = select i1 %p4, i32 1, i32 2
  store volatile i32 %s4, ptr addrspace(1) %p
  %s5 = select i1 %p5, i32 1, i32 2
  store volatile i32 %s5, ptr addrspace(1) %p
  %s6 = select i1 %p6, i32 1, i32 2
  store volatile i32 %s6, ptr addrspace(1) %p
  ret void
}
