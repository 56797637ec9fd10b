; In which order copies are merged in the ptxas profile. A pair's copy is two moves and
; weighs twice as much as that of a single register; copies of pairs come first whatever
; they weigh, as on a list of their own. Without the rules the most frequent come first, in
; the order of the program.
; RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-profile=ptxas %s -o %t.ptx 2>%t.trace
; RUN: %FileCheck %s <%t.trace
; RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-profile=ptxas -warpalloc-disable=copy-modes %s -o %t.weights.ptx 2>%t.weights
; RUN: %FileCheck %s --check-prefix=WEIGHTS <%t.weights
; RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-profile=ptxas -warpalloc-disable=copy-weights %s -o %t.modes.ptx 2>%t.modes
; RUN: %FileCheck %s --check-prefix=MODES <%t.modes
; RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-profile=ptxas -warpalloc-disable=copy-weights,copy-modes %s -o %t.off.ptx 2>%t.off
; RUN: %FileCheck %s --check-prefix=OFF <%t.off
; RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -join-liveintervals=false -warpalloc-enable=copy-weights,copy-modes %s -o %t.auto.ptx 2>%t.auto
; RUN: %FileCheck %s <%t.auto
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK:      position=0 kind=copy weight=64.0 paired=true
; CHECK-NEXT: position=1 kind=copy weight=64.0 paired=true
; CHECK-NEXT: position=2 kind=copy weight=2.0 paired=true
; CHECK-NEXT: position=3 kind=copy weight=32.0 paired=false
; CHECK-NEXT: position=4 kind=copy weight=32.0 paired=false
; CHECK-NEXT: position=5 kind=copy weight=1.0 paired=false

; WEIGHTS:      position=0 kind=copy weight=64.0 paired=true
; WEIGHTS-NEXT: position=1 kind=copy weight=64.0 paired=true
; WEIGHTS-NEXT: position=2 kind=copy weight=32.0 paired=false
; WEIGHTS-NEXT: position=3 kind=copy weight=32.0 paired=false
; WEIGHTS-NEXT: position=4 kind=copy weight=2.0 paired=true
; WEIGHTS-NEXT: position=5 kind=copy weight=1.0 paired=false

; MODES:      position=0 kind=copy weight=32.0 paired=true
; MODES-NEXT: position=1 kind=copy weight=32.0 paired=true
; MODES-NEXT: position=2 kind=copy weight=1.0 paired=true
; MODES-NEXT: position=3 kind=copy weight=32.0 paired=false

; OFF:      position=0 kind=copy weight=32.0 paired=true
; OFF-NEXT: position=1 kind=copy weight=32.0 paired=false
; OFF-NEXT: position=2 kind=copy weight=32.0 paired=false
; OFF-NEXT: position=3 kind=copy weight=32.0 paired=true
define ptx_kernel void @k(ptr addrspace(1) %p) {
entry:
  %a0 = load volatile i32, ptr addrspace(1) %p
  %w0 = load volatile i64, ptr addrspace(1) %p
  br label %loop

loop:
  %a = phi i32 [ %a0, %entry ], [ %a1, %loop ]
  %w = phi i64 [ %w0, %entry ], [ %w1, %loop ]
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i64 %w, ptr addrspace(1) %p
  %a1 = load volatile i32, ptr addrspace(1) %p
  %w1 = load volatile i64, ptr addrspace(1) %p
  %again = icmp ne i32 %a1, 0
  br i1 %again, label %loop, label %exit

exit:
  ret void
}
