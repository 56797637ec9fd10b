; Functions of one module do not disturb each other: each has its own depot, its
; own registers from 1 and its own line of statistics, in their order.
; RUN: %gpu -mcpu=sm_80 -nvptx-regalloc-pressure-limit=4 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: count 3 <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry spills(
; CHECK:         .local .align 4 .b8 __local_depot0[4];
; CHECK:         .reg .b32 %r<3>;
; CHECK:         mov.b64 %SPL, __local_depot0;
; CHECK-LABEL: .visible .entry fits(
; CHECK-NOT:     local
; CHECK:         .reg .b32 %r<2>;
; CHECK-LABEL: .visible .entry spills_too(
; CHECK:         .local .align 8 .b8 __local_depot2[8];
; CHECK:         mov.b64 %SPL, __local_depot2;

; STATS:      warpalloc: function=spills used.R=4 maxlive.R=4 budget.R=4 spilled=1
; STATS-NEXT: warpalloc: function=fits used.R=3 maxlive.R=3 budget.R=4 spilled=0
; STATS-NEXT: warpalloc: function=spills_too used.R=4 maxlive.R=4 budget.R=4 spilled=1 
define ptx_kernel void @spills(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @fits(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @spills_too(ptr addrspace(1) %p) {
  %x = load volatile i64, ptr addrspace(1) %p
  %a = load volatile i64, ptr addrspace(1) %p
  store volatile i64 %a, ptr addrspace(1) %p
  store volatile i64 %a, ptr addrspace(1) %p
  store volatile i64 %a, ptr addrspace(1) %p
  store volatile i64 %x, ptr addrspace(1) %p
  ret void
}
