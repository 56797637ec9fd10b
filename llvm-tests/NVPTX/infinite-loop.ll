; A kernel without an exit.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry forever(
; CHECK:         .reg .b32 %r<3>;
; CHECK:       $L__BB0_1:
; CHECK:         ld.volatile.global.b32 [[V:%r[0-9]+]], [%rd1];
; CHECK-NEXT:    add.s32 [[S:%r[0-9]+]], [[S]], [[V]];
; CHECK-NEXT:    st.volatile.global.b32 [%rd1], [[S]];
; CHECK-NEXT:    bra.uni $L__BB0_1;
; CHECK-NOT:     ret;
; STATS: function=forever used.R=4 maxlive.R=4 budget.R=4 spilled=0
define ptx_kernel void @forever(ptr addrspace(1) %p) {
entry:
  br label %loop

loop:
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %v = load volatile i32, ptr addrspace(1) %p
  %t = add i32 %s, %v
  store volatile i32 %t, ptr addrspace(1) %p
  br label %loop
}
