; When even the values that a loop uses do not fit, what it only reads is stored
; once, before the loop, and reloaded in it.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=5 -warpalloc-disable=remat,split -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry inside(
; CHECK:         ld.volatile.global.b32 [[RARE:%r[0-9]+]], [%rd1];
; CHECK-NEXT:    st.local.b32 [%SPL], [[RARE]];
; CHECK:       $L__BB0_1:
; CHECK-NOT:     st.local
; CHECK:         ld.local.b32 [[BACK:%r[0-9]+]], [%SPL];
; CHECK-NEXT:    st.volatile.global.b32 [%rd1], [[BACK]];
; CHECK-NOT:     local
; CHECK:         @%p{{[0-9]+}} bra $L__BB0_1;

; STATS: used.R=5 maxlive.R=5 budget.R=5 {{.*}}spilled=1 stores=1 reloads=1
define ptx_kernel void @inside(ptr addrspace(1) %p) {
entry:
  %rare = load volatile i32, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  br label %loop

loop:
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %rare, ptr addrspace(1) %p
  %x = load volatile i32, ptr addrspace(1) %p
  %again = icmp eq i32 %x, 0
  br i1 %again, label %loop, label %exit

exit:
  ret void
}
