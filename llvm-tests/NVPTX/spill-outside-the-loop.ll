; The value that a loop does not use is spilled, not those that it does: there is
; no spill code in the loop.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=6 -warpalloc-disable=remat -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry around(
; CHECK:         ld.volatile.global.b32 [[OUT:%r[0-9]+]], [[P:\[%rd[0-9]+\]]];
; CHECK-NEXT:    st.local.b32 [%SPL], [[OUT]];
; CHECK:       $L__BB0_1:
; CHECK-NOT:     local
; CHECK:         @%p{{[0-9]+}} bra $L__BB0_1;
; CHECK:         ld.local.b32 [[BACK:%r[0-9]+]], [%SPL];
; CHECK-NEXT:    st.volatile.global.b32 [[P]], [[BACK]];

; STATS: used.R=6 maxlive.R=6 budget.R=6 {{.*}}spilled=1 stores=1 reloads=1
define ptx_kernel void @around(ptr addrspace(1) %p) {
entry:
  %outside = load volatile i32, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  %c = load volatile i32, ptr addrspace(1) %p
  br label %loop

loop:
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  %x = load volatile i32, ptr addrspace(1) %p
  %again = icmp eq i32 %x, 0
  br i1 %again, label %loop, label %exit

exit:
  store volatile i32 %outside, ptr addrspace(1) %p
  ret void
}
