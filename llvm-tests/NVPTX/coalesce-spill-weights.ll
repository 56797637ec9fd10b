; The ptxas profile does not merge the value of a loop with what comes into it: it costs
; more to spill, and so would both together. What is refused, and why, is counted. Without
; the rule all is merged, as by default.
; RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-profile=ptxas %s -o %t.ptx 2>%t.trace
; RUN: %FileCheck %s <%t.trace
; RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-profile=ptxas -warpalloc-disable=spill-weights %s -o %t.off.ptx 2>%t.off
; RUN: %FileCheck %s --check-prefix=OFF <%t.off
; RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -join-liveintervals=false %s -o %t.auto.ptx 2>%t.auto
; RUN: %FileCheck %s --check-prefix=OFF <%t.auto
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK:      merged copy=i3
; CHECK-NEXT: {{ }}merged copy=i7
; CHECK-NEXT: not merged copy=i2 because=spill weight
; CHECK-NEXT: coalesced copies=3 merged=2 left=1 candidates=3 cost=64.0 scaled=64.0 refused_cost=1.0 refused="spill weight: 1"
; OFF-NOT: because=spill weight
; OFF:     coalesced copies=3 merged=3 left=0 {{.*}}refused_cost=0.0 refused=""
define ptx_kernel void @k(ptr addrspace(1) %p) {
entry:
  %first = load volatile i32, ptr addrspace(1) %p
  br label %loop

loop:
  %x = phi i32 [ %first, %entry ], [ %next, %loop ]
  store volatile i32 %x, ptr addrspace(1) %p
  %next = load volatile i32, ptr addrspace(1) %p
  %again = icmp ne i32 %next, 0
  br i1 %again, label %loop, label %exit

exit:
  ret void
}
