; RegAllocCoalescing=0, by name or by number, is -warpalloc-disable=coalesce; the last
; setting of a knob holds. The knobs have the values they have by default, so that
; setting those changes nothing.
; RUN: %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-disable=hints %s -o %t.on.ptx
; RUN: %FileCheck %s --check-prefix=ON <%t.on.ptx
; RUN: %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-disable=hints,coalesce %s -o %t.off.ptx
; RUN: %FileCheck %s --check-prefix=OFF <%t.off.ptx
; RUN: %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-disable=hints -warpalloc-knob=RegAllocCoalescing=0 %s -o - | cmp - %t.off.ptx
; RUN: %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-disable=hints -warpalloc-knob=684=10,618=0 %s -o - | cmp - %t.off.ptx
; RUN: %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-disable=hints -warpalloc-knob=618=0 -warpalloc-knob=618=1 %s -o - | cmp - %t.on.ptx
; RUN: %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-disable=hints -warpalloc-knob=RegAllocThresholdForDiscardConflicts=50,680=4 %s -o - | cmp - %t.on.ptx
; RUN: rm -f %t.none.ptx
; RUN: %not %gpu -mcpu=sm_90 -warpalloc-knob=618=0,RegAllocCoalesing=1 %s -o %t.none.ptx 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
; RUN: %not test -f %t.none.ptx

; ON-LABEL:  $L__BB0_1:
; ON-NOT:    mov.b32
; ON:        bra $L__BB0_1;
; OFF-LABEL: $L__BB0_1:
; OFF:       mov.b32
; OFF:       bra $L__BB0_1;
; UNKNOWN:   error: warpalloc: in function 'sum': -warpalloc-knob: unknown knob 'RegAllocCoalesing'; did you mean 'RegAllocCoalescing'?; -warpalloc-knob=help lists all

target triple = "nvptx64-nvidia-cuda"

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
