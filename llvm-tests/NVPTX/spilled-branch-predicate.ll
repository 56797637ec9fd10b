; A spilled predicate that a branch reads is back before the branch, not after the
; store that precedes it, and each branch has its own.
; RUN: %gpu -warpalloc-disable=reorder -mcpu=sm_90 %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry branch(
; CHECK:         setp.{{[a-z]+}}.s32 [[P:%p[0-9]+]], %r{{[0-9]+}}, %r{{[0-9]+}};
; CHECK-NEXT:    selp.b32 [[W:%r[0-9]+]], -1, 0, [[P]];
; CHECK-COUNT-7: selp.b32 %r{{[0-9]+}}, 1, 2, %p{{[0-9]+}};
; CHECK:         setp.ne.b32 [[Q:%p[0-9]+]], [[W]], 0;
; CHECK-NEXT:    @[[Q]] bra $L__BB0_2;
define ptx_kernel void @branch(ptr addrspace(1) %p, i32 %n) {
entry:
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
  %v7 = load volatile i32, ptr addrspace(1) %p
  %p7 = icmp slt i32 %v7, %n
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
  %s7 = select i1 %p7, i32 1, i32 2
  store volatile i32 %s7, ptr addrspace(1) %p
  br i1 %p0, label %yes, label %no

yes:
  store volatile i32 1, ptr addrspace(1) %p
  br label %no

no:
  ret void
}
