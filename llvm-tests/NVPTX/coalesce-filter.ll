; The filter in the ptxas profile: copies of what is live across a call are no candidates,
; although PTX's calls keep every register. Bits: 0x01 an end crosses the call, 0x02 there is
; a copy, 0x04 the target crosses it, 0x20 the target is a PHI's. By default the bits say
; nothing.
; RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-profile=ptxas %s -o %t.ptx 2>%t.trace
; RUN: %FileCheck %s <%t.trace
; RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -join-liveintervals=false %s -o %t.auto.ptx 2>%t.auto
; RUN: %FileCheck %s --check-prefix=AUTO <%t.auto
; RUN: %if ptxas %{ %ptxas -c -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

declare void @external()

; CHECK:      filter copy=[[ACROSS:i[0-9]+]] bits=0x07
; CHECK-NEXT: not merged copy=[[ACROSS]] because=crosses a call
; CHECK-NEXT: filter copy=[[LATCH:i[0-9]+]] bits=0x22
; CHECK:      {{ }}merged copy=[[LATCH]]
; CHECK:      coalesced {{.*}}refused="crosses a call: 1
; AUTO-NOT:   because=crosses a call
; AUTO:       coalesced {{.*}}left=0
define ptx_kernel void @k(ptr addrspace(1) %p) {
entry:
  %first = load volatile i32, ptr addrspace(1) %p
  br label %loop

loop:
  %x = phi i32 [ %first, %entry ], [ %next, %loop ]
  call void @external()
  store volatile i32 %x, ptr addrspace(1) %p
  %next = load volatile i32, ptr addrspace(1) %p
  %again = icmp ne i32 %next, 0
  br i1 %again, label %loop, label %exit

exit:
  ret void
}
