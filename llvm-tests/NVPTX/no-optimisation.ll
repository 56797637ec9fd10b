; -O0: LLVM keeps every local variable in memory and runs no coalescer. The
; allocator works all the same, within the limit, and removes copies itself.
; RUN: %gpu -mcpu=sm_90 -O0 -nvptx-regalloc-pressure-limit=6 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry sum(
; CHECK:         .reg .pred %p<2>;
; CHECK-NEXT:    .reg .b32 %r<{{[2-6]}}>;
; CHECK-NEXT:    .reg .b64 %rd<{{[2-4]}}>;
; CHECK:         ret;
; STATS: function=sum used.R={{[1-6]}} maxlive.R={{[1-6]}} budget.R=6 used.P=1 maxlive.P=1 budget.P=7
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
