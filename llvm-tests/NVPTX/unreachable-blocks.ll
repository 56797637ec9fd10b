; Blocks that nothing reaches, which stay in the code without optimisation, and
; blocks that end in unreachable.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %gpu -mcpu=sm_90 -O0 %s -o %t.slow.ptx
; RUN: %FileCheck %s --check-prefix=SLOW <%t.slow.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.slow.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry dead(
; CHECK:         @%p1 bra
; CHECK:         trap;
; STATS:         function=dead used.R=
; SLOW-LABEL:  .visible .entry dead(
; SLOW:          ret;
define ptx_kernel void @dead(ptr addrspace(1) %p) {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %c = icmp eq i32 %x, 0
  br i1 %c, label %stop, label %go

island:
  %y = phi i32 [ %z, %island ], [ 7, %other ]
  %z = add i32 %y, %y
  store volatile i32 %z, ptr addrspace(1) %p
  br i1 true, label %island, label %go

other:
  br label %island

stop:
  call void @llvm.trap()
  unreachable

go:
  %r = phi i32 [ %x, %entry ], [ %z, %island ]
  store volatile i32 %r, ptr addrspace(1) %p
  ret void
}

declare void @llvm.trap()
