; The copies of phis. A sum needs none in the loop. Three values that take each
; other's place need one copy each, and no register more than live values, with
; LLVM's coalescer or without it.
; RUN: %gpu -mcpu=sm_90 %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %gpu -mcpu=sm_90 -join-liveintervals=false %s -o %t.alone.ptx
; RUN: %FileCheck %s <%t.alone.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.alone.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry sum(
; CHECK:         .reg .b32 %r<4>;
; CHECK:       $L__BB0_1:
; CHECK-NOT:     mov.
; CHECK:         add.s32 [[SUM:%r[0-9]+]], [[SUM]], %r{{[0-9]+}};
; CHECK-NOT:     mov.
; CHECK:         bra $L__BB0_1;
define ptx_kernel void @sum(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop

loop:
  %sum = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load volatile i32, ptr addrspace(1) %p
  %next = add i32 %sum, %v
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  store volatile i32 %next, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .visible .entry fibonacci(
; CHECK:       $L__BB1_1:
; CHECK:         add.s32 [[S:%r[0-9]+]], [[A:%r[0-9]+]], [[B:%r[0-9]+]];
; CHECK-NOT:     mov.
; CHECK:         mov.b32 [[A]], [[B]];
; CHECK-NEXT:    mov.b32 [[B]], [[S]];
; CHECK-NEXT:    bra $L__BB1_1;
define ptx_kernel void @fibonacci(ptr addrspace(1) %p, i32 %n) {
entry:
  %first = load volatile i32, ptr addrspace(1) %p
  %second = load volatile i32, ptr addrspace(1) %p
  br label %loop

loop:
  %a = phi i32 [ %first, %entry ], [ %b, %loop ]
  %b = phi i32 [ %second, %entry ], [ %s, %loop ]
  %s = add i32 %a, %b
  store volatile i32 %s, ptr addrspace(1) %p
  %again = icmp slt i32 %s, %n
  br i1 %again, label %loop, label %exit

exit:
  ret void
}
