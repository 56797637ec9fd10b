; Seven predicates are live at most. The eighth waits as -1 or 0 in a 32-bit register,
; and comes back by a comparison with 0. Where there are few registers, that register is
; stored.
; RUN: %gpu -warpalloc-disable=reorder -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %gpu -warpalloc-disable=reorder -mcpu=sm_90 -nvptx-regalloc-pressure-limit=3 %s -o %t.few.ptx
; RUN: %FileCheck %s --check-prefix=FEW <%t.few.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.few.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry eight(
; CHECK:         .reg .pred %p<8>;
; CHECK:         setp.lt.s32 [[P:%p[0-9]+]], %r{{[0-9]+}}, %r{{[0-9]+}};
; CHECK-NEXT:    selp.b32 [[WIDE:%r[0-9]+]], -1, 0, [[P]];
; CHECK-COUNT-7: setp.lt.s32
; CHECK-NOT:     .local
; CHECK-COUNT-7: selp.b32 %r{{[0-9]+}}, 1, 2, %p{{[0-9]+}};
; CHECK:         setp.ne.b32 [[Q:%p[0-9]+]], [[WIDE]], 0;
; CHECK-NEXT:    selp.b32 %r{{[0-9]+}}, 1, 2, [[Q]];

; STATS: used.P=7 maxlive.P=7 budget.P=7 {{(.* )?}}spilled=0 stores=0 reloads=0

; FEW-LABEL: .visible .entry eight(
; FEW:         .local .align 4 .b8 __local_depot0[4];
; FEW:         setp.lt.s32 [[P:%p[0-9]+]], %r{{[0-9]+}}, %r{{[0-9]+}};
; FEW-NEXT:    selp.b32 [[WIDE:%r[0-9]+]], -1, 0, [[P]];
; FEW-NEXT:    st.local.b32 [%SPL], [[WIDE]]; // 4-byte Folded Spill
; FEW-COUNT-7: setp.lt.s32
; FEW-NOT:     ld.local
; FEW-COUNT-7: selp.b32 %r{{[0-9]+}}, 1, 2, %p{{[0-9]+}};
; FEW:         ld.local.b32 [[BACK:%r[0-9]+]], [%SPL]; // 4-byte Folded Reload
; FEW-NEXT:    setp.ne.b32 [[Q:%p[0-9]+]], [[BACK]], 0;
; FEW-NEXT:    selp.b32 %r{{[0-9]+}}, 1, 2, [[Q]];
define ptx_kernel void @eight(ptr addrspace(1) %p, i32 %n) {
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
  %s0 = select i1 %p0, i32 1, i32 2
  store volatile i32 %s0, ptr addrspace(1) %p
  ret void
}
