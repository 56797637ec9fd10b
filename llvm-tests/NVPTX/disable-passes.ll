; -warpalloc-disable leaves out passes by name. Without coalescing and without hints
; the loop keeps the copies of its phis, which LLVM's coalescer has been told to
; leave; either pass alone removes them. An unknown name is an error that lists the
; known ones.
; RUN: %gpu -mcpu=sm_90 -join-liveintervals=false -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s --check-prefix=ALL <%t.ptx
; RUN: %FileCheck %s --check-prefix=ALL-STATS <%t.stats
; RUN: %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-disable=coalesce,hints -print-regalloc-stats %s -o %t.off.ptx 2>%t.off.stats
; RUN: %FileCheck %s --check-prefix=OFF <%t.off.ptx
; RUN: %FileCheck %s --check-prefix=OFF-STATS <%t.off.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.off.ptx %}
; RUN: rm -f %t.none.ptx
; RUN: %not %gpu -mcpu=sm_90 -warpalloc-disable=coalesce,nonsense %s -o %t.none.ptx 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
; RUN: %not test -f %t.none.ptx

; ALL:       $L__BB0_1:
; ALL-NOT:   mov.b32
; ALL:       bra $L__BB0_1;
; ALL-STATS: coalesced={{[1-9][0-9]*}} copies_left=0
; OFF:       $L__BB0_1:
; OFF:       mov.b32
; OFF:       bra $L__BB0_1;
; OFF-STATS: copies_left={{[1-9]}}
; UNKNOWN:   error: warpalloc: in function 'sum': -warpalloc-disable: unknown pass 'nonsense'; it can be one of: {{.*}}coalesce, {{.*}}hints

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
