; Two values that swap in a loop need a third register for one moment: exactly three
; moves, and the right ones.
; RUN: %gpu -mcpu=sm_90 %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %gpu -mcpu=sm_90 -join-liveintervals=false %s -o %t.alone.ptx
; RUN: %FileCheck %s <%t.alone.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry swap(
; CHECK:         ld.volatile.global.b32 [[A:%r[0-9]+]], [%rd1];
; CHECK-NEXT:    ld.volatile.global.b32 [[B:%r[0-9]+]], [%rd1];
; CHECK:       $L__BB0_1:
; CHECK:         mov.b32 [[T:%r[0-9]+]], [[A]];
; CHECK-NEXT:    st.volatile.global.b32 [%rd1], [[T]];
; CHECK-NEXT:    st.volatile.global.b32 [%rd1], [[B]];
; CHECK-NOT:     mov.
; CHECK:         mov.b32 [[A]], [[B]];
; CHECK-NEXT:    mov.b32 [[B]], [[T]];
; CHECK-NEXT:    @%p1 bra $L__BB0_1;
define ptx_kernel void @swap(ptr addrspace(1) %p) {
entry:
  %first = load volatile i32, ptr addrspace(1) %p
  %second = load volatile i32, ptr addrspace(1) %p
  br label %loop

loop:
  %a = phi i32 [ %first, %entry ], [ %b, %loop ]
  %b = phi i32 [ %second, %entry ], [ %a, %loop ]
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  %x = load volatile i32, ptr addrspace(1) %p
  %again = icmp eq i32 %x, 0
  br i1 %again, label %loop, label %exit

exit:
  ret void
}
