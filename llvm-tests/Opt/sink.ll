; Cheap values are computed again where they are used, if the kernel needs more registers
; than it may have.
; RUN: %opt -passes='warpalloc-sink,function(dce)' -verify-each -S %s | %FileCheck %s
; The limit on the command line counts as well.
; RUN: %opt -passes='warpalloc-sink,function(dce)' -nvptx-regalloc-pressure-limit=34 -S %s | \
; RUN:   %FileCheck %s --check-prefix=LIMIT
; So does an occupancy target: all warps leave 32 registers.
; RUN: sed 's/"nvvm.maxnreg"="[0-9]*"//' %s | \
; RUN:   %opt -passes='warpalloc-sink,function(dce)' -nvptx-regalloc-occupancy-target=100 -S | \
; RUN:   %FileCheck %s --check-prefix=LIMIT
; RUN: sed 's/"nvvm.maxnreg"="38"/"nvvm.maxnreg"="41"/' %s | \
; RUN:   %opt -passes='warpalloc-sink,function(dce)' -S | %FileCheck %s --check-prefix=NEARLY
; Where registers are in flight, as text or intrinsic have it, ptxas is left alone; not where
; the text waits itself.
; RUN: sed '/^  %%big = load/a call i32 asm sideeffect "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1];", "=r,r"(i32 0)' %s | \
; RUN:   %opt -passes='warpalloc-sink,function(dce)' -S | %FileCheck %s --check-prefix=FLIGHT
; RUN: sed '/^  %%big = load/a call i32 @llvm.nvvm.tcgen05.ld.32x32b.x1(ptr addrspace(6) null, i1 false)' %s | \
; RUN:   %opt -passes='warpalloc-sink,function(dce)' -S | %FileCheck %s --check-prefix=FLIGHT
; RUN: sed '/^  %%big = load/a call i32 asm sideeffect "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1]; tcgen05.wait::ld.sync.aligned;", "=r,r"(i32 0)' %s | \
; RUN:   %opt -passes='warpalloc-sink,function(dce)' -S | %FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; In the loop one register is live instead of twenty.
; CHECK-LABEL: define ptx_kernel void @bounded(
; CHECK: entry:
; CHECK-NOT: xor
; CHECK: one:
; CHECK-COUNT-20: xor i32 %x
; CHECK: other:
; CHECK-COUNT-20: xor i32 %x
; CHECK: ret void
; FLIGHT-LABEL: define ptx_kernel void @bounded(
; FLIGHT: entry:
; FLIGHT-COUNT-20: xor i32 %x
; FLIGHT: loop:
; FLIGHT-NOT: xor
; FLIGHT: ret void
define ptx_kernel void @bounded(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) "nvvm.maxnreg"="34" "target-cpu"="sm_90" {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %a0 = xor i32 %x, 1000
  %a1 = xor i32 %x, 1001
  %a2 = xor i32 %x, 1002
  %a3 = xor i32 %x, 1003
  %a4 = xor i32 %x, 1004
  %a5 = xor i32 %x, 1005
  %a6 = xor i32 %x, 1006
  %a7 = xor i32 %x, 1007
  %a8 = xor i32 %x, 1008
  %a9 = xor i32 %x, 1009
  %a10 = xor i32 %x, 1010
  %a11 = xor i32 %x, 1011
  %a12 = xor i32 %x, 1012
  %a13 = xor i32 %x, 1013
  %a14 = xor i32 %x, 1014
  %a15 = xor i32 %x, 1015
  %a16 = xor i32 %x, 1016
  %a17 = xor i32 %x, 1017
  %a18 = xor i32 %x, 1018
  %a19 = xor i32 %x, 1019
  %big = load volatile i1024, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i1024 %big, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %which = icmp eq i32 %n, 7
  br i1 %which, label %one, label %other
one:
  store volatile i32 %a0, ptr addrspace(1) %q
  store volatile i32 %a1, ptr addrspace(1) %q
  store volatile i32 %a2, ptr addrspace(1) %q
  store volatile i32 %a3, ptr addrspace(1) %q
  store volatile i32 %a4, ptr addrspace(1) %q
  store volatile i32 %a5, ptr addrspace(1) %q
  store volatile i32 %a6, ptr addrspace(1) %q
  store volatile i32 %a7, ptr addrspace(1) %q
  store volatile i32 %a8, ptr addrspace(1) %q
  store volatile i32 %a9, ptr addrspace(1) %q
  store volatile i32 %a10, ptr addrspace(1) %q
  store volatile i32 %a11, ptr addrspace(1) %q
  store volatile i32 %a12, ptr addrspace(1) %q
  store volatile i32 %a13, ptr addrspace(1) %q
  store volatile i32 %a14, ptr addrspace(1) %q
  store volatile i32 %a15, ptr addrspace(1) %q
  store volatile i32 %a16, ptr addrspace(1) %q
  store volatile i32 %a17, ptr addrspace(1) %q
  store volatile i32 %a18, ptr addrspace(1) %q
  store volatile i32 %a19, ptr addrspace(1) %q
  ret void
other:
  store volatile i32 %a0, ptr addrspace(1) %q
  store volatile i32 %a1, ptr addrspace(1) %q
  store volatile i32 %a2, ptr addrspace(1) %q
  store volatile i32 %a3, ptr addrspace(1) %q
  store volatile i32 %a4, ptr addrspace(1) %q
  store volatile i32 %a5, ptr addrspace(1) %q
  store volatile i32 %a6, ptr addrspace(1) %q
  store volatile i32 %a7, ptr addrspace(1) %q
  store volatile i32 %a8, ptr addrspace(1) %q
  store volatile i32 %a9, ptr addrspace(1) %q
  store volatile i32 %a10, ptr addrspace(1) %q
  store volatile i32 %a11, ptr addrspace(1) %q
  store volatile i32 %a12, ptr addrspace(1) %q
  store volatile i32 %a13, ptr addrspace(1) %q
  store volatile i32 %a14, ptr addrspace(1) %q
  store volatile i32 %a15, ptr addrspace(1) %q
  store volatile i32 %a16, ptr addrspace(1) %q
  store volatile i32 %a17, ptr addrspace(1) %q
  store volatile i32 %a18, ptr addrspace(1) %q
  store volatile i32 %a19, ptr addrspace(1) %q
  ret void
}

; Without a limit all fits.
; CHECK-LABEL: define ptx_kernel void @unbounded(
; CHECK: entry:
; CHECK-COUNT-20: xor i32 %x
; CHECK: loop:
; CHECK-NOT: xor
; CHECK: ret void
; FLIGHT-LABEL: define ptx_kernel void @unbounded(
; LIMIT-LABEL: define ptx_kernel void @unbounded(
; LIMIT: entry:
; LIMIT-NOT: xor
; LIMIT: one:
; LIMIT-COUNT-20: xor i32 %x
define ptx_kernel void @unbounded(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) "target-cpu"="sm_90" {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %a0 = xor i32 %x, 1000
  %a1 = xor i32 %x, 1001
  %a2 = xor i32 %x, 1002
  %a3 = xor i32 %x, 1003
  %a4 = xor i32 %x, 1004
  %a5 = xor i32 %x, 1005
  %a6 = xor i32 %x, 1006
  %a7 = xor i32 %x, 1007
  %a8 = xor i32 %x, 1008
  %a9 = xor i32 %x, 1009
  %a10 = xor i32 %x, 1010
  %a11 = xor i32 %x, 1011
  %a12 = xor i32 %x, 1012
  %a13 = xor i32 %x, 1013
  %a14 = xor i32 %x, 1014
  %a15 = xor i32 %x, 1015
  %a16 = xor i32 %x, 1016
  %a17 = xor i32 %x, 1017
  %a18 = xor i32 %x, 1018
  %a19 = xor i32 %x, 1019
  %big = load volatile i1024, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i1024 %big, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %which = icmp eq i32 %n, 7
  br i1 %which, label %one, label %other
one:
  store volatile i32 %a0, ptr addrspace(1) %q
  store volatile i32 %a1, ptr addrspace(1) %q
  store volatile i32 %a2, ptr addrspace(1) %q
  store volatile i32 %a3, ptr addrspace(1) %q
  store volatile i32 %a4, ptr addrspace(1) %q
  store volatile i32 %a5, ptr addrspace(1) %q
  store volatile i32 %a6, ptr addrspace(1) %q
  store volatile i32 %a7, ptr addrspace(1) %q
  store volatile i32 %a8, ptr addrspace(1) %q
  store volatile i32 %a9, ptr addrspace(1) %q
  store volatile i32 %a10, ptr addrspace(1) %q
  store volatile i32 %a11, ptr addrspace(1) %q
  store volatile i32 %a12, ptr addrspace(1) %q
  store volatile i32 %a13, ptr addrspace(1) %q
  store volatile i32 %a14, ptr addrspace(1) %q
  store volatile i32 %a15, ptr addrspace(1) %q
  store volatile i32 %a16, ptr addrspace(1) %q
  store volatile i32 %a17, ptr addrspace(1) %q
  store volatile i32 %a18, ptr addrspace(1) %q
  store volatile i32 %a19, ptr addrspace(1) %q
  ret void
other:
  store volatile i32 %a0, ptr addrspace(1) %q
  store volatile i32 %a1, ptr addrspace(1) %q
  store volatile i32 %a2, ptr addrspace(1) %q
  store volatile i32 %a3, ptr addrspace(1) %q
  store volatile i32 %a4, ptr addrspace(1) %q
  store volatile i32 %a5, ptr addrspace(1) %q
  store volatile i32 %a6, ptr addrspace(1) %q
  store volatile i32 %a7, ptr addrspace(1) %q
  store volatile i32 %a8, ptr addrspace(1) %q
  store volatile i32 %a9, ptr addrspace(1) %q
  store volatile i32 %a10, ptr addrspace(1) %q
  store volatile i32 %a11, ptr addrspace(1) %q
  store volatile i32 %a12, ptr addrspace(1) %q
  store volatile i32 %a13, ptr addrspace(1) %q
  store volatile i32 %a14, ptr addrspace(1) %q
  store volatile i32 %a15, ptr addrspace(1) %q
  store volatile i32 %a16, ptr addrspace(1) %q
  store volatile i32 %a17, ptr addrspace(1) %q
  store volatile i32 %a18, ptr addrspace(1) %q
  store volatile i32 %a19, ptr addrspace(1) %q
  ret void
}

; optnone.
; CHECK-LABEL: define ptx_kernel void @left_alone(
; CHECK: entry:
; CHECK-COUNT-20: xor i32 %x
; CHECK: loop:
; CHECK-NOT: xor
; CHECK: ret void
define ptx_kernel void @left_alone(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) noinline optnone "nvvm.maxnreg"="40" "target-cpu"="sm_90" {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %a0 = xor i32 %x, 1000
  %a1 = xor i32 %x, 1001
  %a2 = xor i32 %x, 1002
  %a3 = xor i32 %x, 1003
  %a4 = xor i32 %x, 1004
  %a5 = xor i32 %x, 1005
  %a6 = xor i32 %x, 1006
  %a7 = xor i32 %x, 1007
  %a8 = xor i32 %x, 1008
  %a9 = xor i32 %x, 1009
  %a10 = xor i32 %x, 1010
  %a11 = xor i32 %x, 1011
  %a12 = xor i32 %x, 1012
  %a13 = xor i32 %x, 1013
  %a14 = xor i32 %x, 1014
  %a15 = xor i32 %x, 1015
  %a16 = xor i32 %x, 1016
  %a17 = xor i32 %x, 1017
  %a18 = xor i32 %x, 1018
  %a19 = xor i32 %x, 1019
  %big = load volatile i1024, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i1024 %big, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %which = icmp eq i32 %n, 7
  br i1 %which, label %one, label %other
one:
  store volatile i32 %a0, ptr addrspace(1) %q
  store volatile i32 %a1, ptr addrspace(1) %q
  store volatile i32 %a2, ptr addrspace(1) %q
  store volatile i32 %a3, ptr addrspace(1) %q
  store volatile i32 %a4, ptr addrspace(1) %q
  store volatile i32 %a5, ptr addrspace(1) %q
  store volatile i32 %a6, ptr addrspace(1) %q
  store volatile i32 %a7, ptr addrspace(1) %q
  store volatile i32 %a8, ptr addrspace(1) %q
  store volatile i32 %a9, ptr addrspace(1) %q
  store volatile i32 %a10, ptr addrspace(1) %q
  store volatile i32 %a11, ptr addrspace(1) %q
  store volatile i32 %a12, ptr addrspace(1) %q
  store volatile i32 %a13, ptr addrspace(1) %q
  store volatile i32 %a14, ptr addrspace(1) %q
  store volatile i32 %a15, ptr addrspace(1) %q
  store volatile i32 %a16, ptr addrspace(1) %q
  store volatile i32 %a17, ptr addrspace(1) %q
  store volatile i32 %a18, ptr addrspace(1) %q
  store volatile i32 %a19, ptr addrspace(1) %q
  ret void
other:
  store volatile i32 %a0, ptr addrspace(1) %q
  store volatile i32 %a1, ptr addrspace(1) %q
  store volatile i32 %a2, ptr addrspace(1) %q
  store volatile i32 %a3, ptr addrspace(1) %q
  store volatile i32 %a4, ptr addrspace(1) %q
  store volatile i32 %a5, ptr addrspace(1) %q
  store volatile i32 %a6, ptr addrspace(1) %q
  store volatile i32 %a7, ptr addrspace(1) %q
  store volatile i32 %a8, ptr addrspace(1) %q
  store volatile i32 %a9, ptr addrspace(1) %q
  store volatile i32 %a10, ptr addrspace(1) %q
  store volatile i32 %a11, ptr addrspace(1) %q
  store volatile i32 %a12, ptr addrspace(1) %q
  store volatile i32 %a13, ptr addrspace(1) %q
  store volatile i32 %a14, ptr addrspace(1) %q
  store volatile i32 %a15, ptr addrspace(1) %q
  store volatile i32 %a16, ptr addrspace(1) %q
  store volatile i32 %a17, ptr addrspace(1) %q
  store volatile i32 %a18, ptr addrspace(1) %q
  store volatile i32 %a19, ptr addrspace(1) %q
  ret void
}

; Two floats are one register as a pair of halves.
; CHECK-LABEL: define ptx_kernel void @halves(
; CHECK: entry:
; CHECK-NOT: fpext
; CHECK: one:
; CHECK-COUNT-16: fpext half
; CHECK: ret void
; With a few registers more ptxas is expected to make it fit.
; NEARLY-LABEL: define ptx_kernel void @halves(
; NEARLY: entry:
; NEARLY: fpext
; NEARLY: one:
define ptx_kernel void @halves(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) "nvvm.maxnreg"="38" "target-cpu"="sm_90" {
entry:
  %v0 = load volatile <2 x half>, ptr addrspace(1) %p
  %l0 = extractelement <2 x half> %v0, i32 0
  %h0 = extractelement <2 x half> %v0, i32 1
  %a0 = fpext half %l0 to float
  %b0 = fpext half %h0 to float
  %v1 = load volatile <2 x half>, ptr addrspace(1) %p
  %l1 = extractelement <2 x half> %v1, i32 0
  %h1 = extractelement <2 x half> %v1, i32 1
  %a1 = fpext half %l1 to float
  %b1 = fpext half %h1 to float
  %v2 = load volatile <2 x half>, ptr addrspace(1) %p
  %l2 = extractelement <2 x half> %v2, i32 0
  %h2 = extractelement <2 x half> %v2, i32 1
  %a2 = fpext half %l2 to float
  %b2 = fpext half %h2 to float
  %v3 = load volatile <2 x half>, ptr addrspace(1) %p
  %l3 = extractelement <2 x half> %v3, i32 0
  %h3 = extractelement <2 x half> %v3, i32 1
  %a3 = fpext half %l3 to float
  %b3 = fpext half %h3 to float
  %v4 = load volatile <2 x half>, ptr addrspace(1) %p
  %l4 = extractelement <2 x half> %v4, i32 0
  %h4 = extractelement <2 x half> %v4, i32 1
  %a4 = fpext half %l4 to float
  %b4 = fpext half %h4 to float
  %v5 = load volatile <2 x half>, ptr addrspace(1) %p
  %l5 = extractelement <2 x half> %v5, i32 0
  %h5 = extractelement <2 x half> %v5, i32 1
  %a5 = fpext half %l5 to float
  %b5 = fpext half %h5 to float
  %v6 = load volatile <2 x half>, ptr addrspace(1) %p
  %l6 = extractelement <2 x half> %v6, i32 0
  %h6 = extractelement <2 x half> %v6, i32 1
  %a6 = fpext half %l6 to float
  %b6 = fpext half %h6 to float
  %v7 = load volatile <2 x half>, ptr addrspace(1) %p
  %l7 = extractelement <2 x half> %v7, i32 0
  %h7 = extractelement <2 x half> %v7, i32 1
  %a7 = fpext half %l7 to float
  %b7 = fpext half %h7 to float
  %big = load volatile i1024, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i1024 %big, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %which = icmp eq i32 %n, 7
  br i1 %which, label %one, label %other
one:
  store volatile float %a0, ptr addrspace(1) %q
  store volatile float %b0, ptr addrspace(1) %q
  store volatile float %a1, ptr addrspace(1) %q
  store volatile float %b1, ptr addrspace(1) %q
  store volatile float %a2, ptr addrspace(1) %q
  store volatile float %b2, ptr addrspace(1) %q
  store volatile float %a3, ptr addrspace(1) %q
  store volatile float %b3, ptr addrspace(1) %q
  store volatile float %a4, ptr addrspace(1) %q
  store volatile float %b4, ptr addrspace(1) %q
  store volatile float %a5, ptr addrspace(1) %q
  store volatile float %b5, ptr addrspace(1) %q
  store volatile float %a6, ptr addrspace(1) %q
  store volatile float %b6, ptr addrspace(1) %q
  store volatile float %a7, ptr addrspace(1) %q
  store volatile float %b7, ptr addrspace(1) %q
  ret void
other:
  store volatile float %a0, ptr addrspace(1) %q
  store volatile float %b0, ptr addrspace(1) %q
  store volatile float %a1, ptr addrspace(1) %q
  store volatile float %b1, ptr addrspace(1) %q
  store volatile float %a2, ptr addrspace(1) %q
  store volatile float %b2, ptr addrspace(1) %q
  store volatile float %a3, ptr addrspace(1) %q
  store volatile float %b3, ptr addrspace(1) %q
  store volatile float %a4, ptr addrspace(1) %q
  store volatile float %b4, ptr addrspace(1) %q
  store volatile float %a5, ptr addrspace(1) %q
  store volatile float %b5, ptr addrspace(1) %q
  store volatile float %a6, ptr addrspace(1) %q
  store volatile float %b6, ptr addrspace(1) %q
  store volatile float %a7, ptr addrspace(1) %q
  store volatile float %b7, ptr addrspace(1) %q
  ret void
}

; Each copy of a freeze might be another value, and so might what is computed of undef.
; CHECK-LABEL: define ptx_kernel void @undefined(
; CHECK: entry:
; CHECK: %frozen = freeze i32 %x
; CHECK: %same = add i32 %x, undef
; CHECK: end:
; CHECK-NOT: freeze
; CHECK-NOT: undef
; CHECK: ret void
define ptx_kernel void @undefined(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) "nvvm.maxnreg"="34" "target-cpu"="sm_90" {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %frozen = freeze i32 %x
  %same = add i32 %x, undef
  %a0 = xor i32 %x, 1000
  %a1 = xor i32 %x, 1001
  %a2 = xor i32 %x, 1002
  %a3 = xor i32 %x, 1003
  %a4 = xor i32 %x, 1004
  %a5 = xor i32 %x, 1005
  %a6 = xor i32 %x, 1006
  %a7 = xor i32 %x, 1007
  %a8 = xor i32 %x, 1008
  %a9 = xor i32 %x, 1009
  %a10 = xor i32 %x, 1010
  %a11 = xor i32 %x, 1011
  %a12 = xor i32 %x, 1012
  %a13 = xor i32 %x, 1013
  %a14 = xor i32 %x, 1014
  %a15 = xor i32 %x, 1015
  %a16 = xor i32 %x, 1016
  %a17 = xor i32 %x, 1017
  %a18 = xor i32 %x, 1018
  %a19 = xor i32 %x, 1019
  %big = load volatile i1024, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i1024 %big, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %which = icmp eq i32 %n, 7
  br i1 %which, label %one, label %other
one:
  store volatile i32 %frozen, ptr addrspace(1) %q
  store volatile i32 %same, ptr addrspace(1) %q
  store volatile i32 %a0, ptr addrspace(1) %q
  store volatile i32 %a1, ptr addrspace(1) %q
  store volatile i32 %a2, ptr addrspace(1) %q
  store volatile i32 %a3, ptr addrspace(1) %q
  store volatile i32 %a4, ptr addrspace(1) %q
  store volatile i32 %a5, ptr addrspace(1) %q
  store volatile i32 %a6, ptr addrspace(1) %q
  store volatile i32 %a7, ptr addrspace(1) %q
  store volatile i32 %a8, ptr addrspace(1) %q
  store volatile i32 %a9, ptr addrspace(1) %q
  store volatile i32 %a10, ptr addrspace(1) %q
  store volatile i32 %a11, ptr addrspace(1) %q
  store volatile i32 %a12, ptr addrspace(1) %q
  store volatile i32 %a13, ptr addrspace(1) %q
  store volatile i32 %a14, ptr addrspace(1) %q
  store volatile i32 %a15, ptr addrspace(1) %q
  store volatile i32 %a16, ptr addrspace(1) %q
  store volatile i32 %a17, ptr addrspace(1) %q
  store volatile i32 %a18, ptr addrspace(1) %q
  store volatile i32 %a19, ptr addrspace(1) %q
  ret void
other:
  store volatile i32 %frozen, ptr addrspace(1) %q
  store volatile i32 %same, ptr addrspace(1) %q
  store volatile i32 %a0, ptr addrspace(1) %q
  store volatile i32 %a1, ptr addrspace(1) %q
  store volatile i32 %a2, ptr addrspace(1) %q
  store volatile i32 %a3, ptr addrspace(1) %q
  store volatile i32 %a4, ptr addrspace(1) %q
  store volatile i32 %a5, ptr addrspace(1) %q
  store volatile i32 %a6, ptr addrspace(1) %q
  store volatile i32 %a7, ptr addrspace(1) %q
  store volatile i32 %a8, ptr addrspace(1) %q
  store volatile i32 %a9, ptr addrspace(1) %q
  store volatile i32 %a10, ptr addrspace(1) %q
  store volatile i32 %a11, ptr addrspace(1) %q
  store volatile i32 %a12, ptr addrspace(1) %q
  store volatile i32 %a13, ptr addrspace(1) %q
  store volatile i32 %a14, ptr addrspace(1) %q
  store volatile i32 %a15, ptr addrspace(1) %q
  store volatile i32 %a16, ptr addrspace(1) %q
  store volatile i32 %a17, ptr addrspace(1) %q
  store volatile i32 %a18, ptr addrspace(1) %q
  store volatile i32 %a19, ptr addrspace(1) %q
  ret void
}

; What the loop itself uses would cost more there than to spill what it does not.
; CHECK-LABEL: define ptx_kernel void @hot(
; CHECK: entry:
; CHECK: %hot = xor i32 %x, 77
; CHECK: loop:
; CHECK-NOT: xor
; CHECK: end:
; CHECK: ret void
define ptx_kernel void @hot(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) "nvvm.maxnreg"="40" "target-cpu"="sm_90" {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %a0 = xor i32 %x, 1000
  %a1 = xor i32 %x, 1001
  %a2 = xor i32 %x, 1002
  %a3 = xor i32 %x, 1003
  %a4 = xor i32 %x, 1004
  %a5 = xor i32 %x, 1005
  %a6 = xor i32 %x, 1006
  %a7 = xor i32 %x, 1007
  %a8 = xor i32 %x, 1008
  %a9 = xor i32 %x, 1009
  %a10 = xor i32 %x, 1010
  %a11 = xor i32 %x, 1011
  %a12 = xor i32 %x, 1012
  %a13 = xor i32 %x, 1013
  %a14 = xor i32 %x, 1014
  %a15 = xor i32 %x, 1015
  %a16 = xor i32 %x, 1016
  %a17 = xor i32 %x, 1017
  %a18 = xor i32 %x, 1018
  %a19 = xor i32 %x, 1019
  %hot = xor i32 %x, 77
  %big = load volatile i1024, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i1024 %big, ptr addrspace(1) %q
  store volatile i32 %hot, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %which = icmp eq i32 %n, 7
  br i1 %which, label %one, label %other
one:
  store volatile i32 %a0, ptr addrspace(1) %q
  store volatile i32 %a1, ptr addrspace(1) %q
  store volatile i32 %a2, ptr addrspace(1) %q
  store volatile i32 %a3, ptr addrspace(1) %q
  store volatile i32 %a4, ptr addrspace(1) %q
  store volatile i32 %a5, ptr addrspace(1) %q
  store volatile i32 %a6, ptr addrspace(1) %q
  store volatile i32 %a7, ptr addrspace(1) %q
  store volatile i32 %a8, ptr addrspace(1) %q
  store volatile i32 %a9, ptr addrspace(1) %q
  store volatile i32 %a10, ptr addrspace(1) %q
  store volatile i32 %a11, ptr addrspace(1) %q
  store volatile i32 %a12, ptr addrspace(1) %q
  store volatile i32 %a13, ptr addrspace(1) %q
  store volatile i32 %a14, ptr addrspace(1) %q
  store volatile i32 %a15, ptr addrspace(1) %q
  store volatile i32 %a16, ptr addrspace(1) %q
  store volatile i32 %a17, ptr addrspace(1) %q
  store volatile i32 %a18, ptr addrspace(1) %q
  store volatile i32 %a19, ptr addrspace(1) %q
  ret void
other:
  store volatile i32 %a0, ptr addrspace(1) %q
  store volatile i32 %a1, ptr addrspace(1) %q
  store volatile i32 %a2, ptr addrspace(1) %q
  store volatile i32 %a3, ptr addrspace(1) %q
  store volatile i32 %a4, ptr addrspace(1) %q
  store volatile i32 %a5, ptr addrspace(1) %q
  store volatile i32 %a6, ptr addrspace(1) %q
  store volatile i32 %a7, ptr addrspace(1) %q
  store volatile i32 %a8, ptr addrspace(1) %q
  store volatile i32 %a9, ptr addrspace(1) %q
  store volatile i32 %a10, ptr addrspace(1) %q
  store volatile i32 %a11, ptr addrspace(1) %q
  store volatile i32 %a12, ptr addrspace(1) %q
  store volatile i32 %a13, ptr addrspace(1) %q
  store volatile i32 %a14, ptr addrspace(1) %q
  store volatile i32 %a15, ptr addrspace(1) %q
  store volatile i32 %a16, ptr addrspace(1) %q
  store volatile i32 %a17, ptr addrspace(1) %q
  store volatile i32 %a18, ptr addrspace(1) %q
  store volatile i32 %a19, ptr addrspace(1) %q
  ret void
}
