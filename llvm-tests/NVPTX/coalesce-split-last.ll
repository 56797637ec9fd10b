; Copies of what splitting left of a value are merged last in the ptxas profile, however
; often they are executed: merged they would meet again what the value was split around.
; Without the rule the copies of the loop come first.
; RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -join-liveintervals=false -nvptx-regalloc-pressure-limit=6 -warpalloc-profile=ptxas -warpalloc-disable=reorder,remat %s -o %t.ptx 2>%t.trace
; RUN: %FileCheck %s <%t.trace
; RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -join-liveintervals=false -nvptx-regalloc-pressure-limit=6 -warpalloc-profile=ptxas -warpalloc-disable=reorder,remat,split-last %s -o %t.off.ptx 2>%t.off
; RUN: %FileCheck %s --check-prefix=OFF <%t.off
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

; CHECK:      position=3 kind=copy weight=1.0 paired=false split=false
; CHECK-NEXT: position=4 kind=copy weight=32.0 paired=false split=true
; CHECK-NEXT: position=5 kind=copy weight=32.0 paired=false split=true
; OFF-NOT:    split=true
; OFF:        spilled=2
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) {
entry:
  %c0 = load volatile i32, ptr addrspace(1) %p
  %d0 = load volatile i32, ptr addrspace(1) %p
  br label %loop

loop:
  %c = phi i32 [ %c0, %entry ], [ %c1, %loop ]
  %d = phi i32 [ %d0, %entry ], [ %d1, %loop ]
  store volatile i32 %c, ptr addrspace(1) %p
  store volatile i32 %d, ptr addrspace(1) %p
  %x = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  %c1 = add i32 %c, %x
  %d1 = add i32 %d, %x
  store volatile i32 %d1, ptr addrspace(1) %p
  store volatile i32 %c1, ptr addrspace(1) %p
  %e = load volatile i32, ptr addrspace(1) %p
  %f = load volatile i32, ptr addrspace(1) %p
  %g = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %e, ptr addrspace(1) %p
  store volatile i32 %f, ptr addrspace(1) %p
  store volatile i32 %g, ptr addrspace(1) %p
  store volatile i32 %d1, ptr addrspace(1) %p
  store volatile i32 %c1, ptr addrspace(1) %p
  %again = icmp ne i32 %x, 0
  br i1 %again, label %loop, label %exit

exit:
  store volatile i32 %c1, ptr addrspace(1) %p
  store volatile i32 %d1, ptr addrspace(1) %p
  ret void
}
