; A predicate that is spilled goes to a 32-bit register. Where five are, and these are
; full as well, they share one as its bits: no memory is accessed. The register is counted.
; RUN: %gpu -warpalloc-disable=reorder,uniform -mcpu=sm_90 -nvptx-regalloc-pressure-limit=5 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %gpu -warpalloc-disable=reorder,uniform,pack-predicates -mcpu=sm_90 -nvptx-regalloc-pressure-limit=5 %s -o %t.without.ptx
; RUN: %FileCheck %s --check-prefix=WITHOUT <%t.without.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry twelve(
; CHECK-NOT:     .local
; CHECK:         mov.b32 [[WORD:%r[0-9]+]], 0;
; CHECK:         setp.lt.s32 [[P:%p[0-9]+]],
; CHECK-NEXT:    // begin inline asm
; CHECK-NEXT:    and.b32 [[WORD]], [[WORD]], -17;
; CHECK-NEXT:    @[[P]] or.b32 [[WORD]], [[WORD]], 16;
; CHECK-NEXT:    // end inline asm
; CHECK:         setp.lt.s32 [[P:%p[0-9]+]],
; CHECK-NEXT:    // begin inline asm
; CHECK-NEXT:    and.b32 [[WORD]], [[WORD]], -9;
; CHECK-NEXT:    @[[P]] or.b32 [[WORD]], [[WORD]], 8;
; CHECK-COUNT-7: selp.b32 %r{{[0-9]+}}, 1, 2, %p{{[0-9]+}};
; CHECK:         and.b32 [[BIT:%r[0-9]+]], [[WORD]], 16;
; CHECK-NEXT:    setp.ne.b32 [[Q:%p[0-9]+]], [[BIT]], 0;
; CHECK-NEXT:    selp.b32 %r{{[0-9]+}}, 1, 2, [[Q]];
; CHECK:         and.b32 [[BIT]], [[WORD]], 8;
; CHECK-NOT:     local

; STATS: used.R=5 maxlive.R=5 budget.R=5 used.P=7 maxlive.P=7 budget.P=7 used.PB=5 maxlive.PB=5 budget.PB=28 spilled=0 stores=0 reloads=0

; WITHOUT: st.local.b32
; WITHOUT: ld.local.b32
define ptx_kernel void @twelve(ptr addrspace(1) %p, i32 %n) {
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
  %v8 = load volatile i32, ptr addrspace(1) %p
  %p8 = icmp slt i32 %v8, %n
  %v9 = load volatile i32, ptr addrspace(1) %p
  %p9 = icmp slt i32 %v9, %n
  %v10 = load volatile i32, ptr addrspace(1) %p
  %p10 = icmp slt i32 %v10, %n
  %v11 = load volatile i32, ptr addrspace(1) %p
  %p11 = icmp slt i32 %v11, %n
  %s5 = select i1 %p5, i32 1, i32 2
  store volatile i32 %s5, ptr addrspace(1) %p
  %s6 = select i1 %p6, i32 1, i32 2
  store volatile i32 %s6, ptr addrspace(1) %p
  %s7 = select i1 %p7, i32 1, i32 2
  store volatile i32 %s7, ptr addrspace(1) %p
  %s8 = select i1 %p8, i32 1, i32 2
  store volatile i32 %s8, ptr addrspace(1) %p
  %s9 = select i1 %p9, i32 1, i32 2
  store volatile i32 %s9, ptr addrspace(1) %p
  %s10 = select i1 %p10, i32 1, i32 2
  store volatile i32 %s10, ptr addrspace(1) %p
  %s11 = select i1 %p11, i32 1, i32 2
  store volatile i32 %s11, ptr addrspace(1) %p
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
  ret void
}
