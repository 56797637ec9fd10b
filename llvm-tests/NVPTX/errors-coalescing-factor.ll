; The coalescing factor is a number above 0. Others are errors; 0.5 and 2 give code
; that passes the checks and keeps within the limit.
; RUN: rm -f %t.ptx
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-coalescing-factor=0 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=ZERO
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-coalescing-factor=-1 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=NEGATIVE
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-coalescing-factor=nan %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=NAN
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-coalescing-factor=inf %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=INFINITE
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-coalescing-factor=half %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=WORD
; RUN: %not test -f %t.ptx
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-coalescing-factor=0.5 -join-liveintervals=false -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: %FileCheck %s <%t.ptx
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-coalescing-factor=2 -join-liveintervals=false %s -o %t.two.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.two.ptx %}

; ZERO:     error: warpalloc: in function 'sum': -nvptx-regalloc-coalescing-factor=0 is not a number above 0
; NEGATIVE: error: warpalloc: in function 'sum': -nvptx-regalloc-coalescing-factor=-1 is not a number above 0
; NAN:      error: warpalloc: in function 'sum': -nvptx-regalloc-coalescing-factor={{(nan|NaN)}} is not a number above 0
; INFINITE: error: warpalloc: in function 'sum': -nvptx-regalloc-coalescing-factor=inf is not a number above 0
; WORD:     'half' value invalid for floating point argument!
; STATS:    coalesced={{[1-9][0-9]*}} copies_left=0

target triple = "nvptx64-nvidia-cuda"

; CHECK:     $L__BB0_1:
; CHECK-NOT: mov.
; CHECK:     bra $L__BB0_1;
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
