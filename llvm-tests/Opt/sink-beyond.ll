; What needs more registers than there are at all has to be spilled for the most part: nothing
; is computed again there.
; RUN: %opt -passes='warpalloc-sink,function(dce)' -S %s | %FileCheck %s
; RUN: sed 's/i7168/i6144/' %s | \
; RUN:   %opt -passes='warpalloc-sink,function(dce)' -S | %FileCheck %s --check-prefix=FEWER

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @bounded(
; CHECK-COUNT-20: xor i64 %x
; CHECK: loop:
; CHECK-NOT: xor
; CHECK: ret void
; FEWER-LABEL: define ptx_kernel void @bounded(
; FEWER-NOT: xor
; FEWER: one:
; FEWER-COUNT-20: xor i64 %x
define ptx_kernel void @bounded(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) "nvvm.maxnreg"="64" "target-cpu"="sm_90" {
entry:
  %x = load volatile i64, ptr addrspace(1) %p
  %a0 = xor i64 %x, 1000
  %a1 = xor i64 %x, 1001
  %a2 = xor i64 %x, 1002
  %a3 = xor i64 %x, 1003
  %a4 = xor i64 %x, 1004
  %a5 = xor i64 %x, 1005
  %a6 = xor i64 %x, 1006
  %a7 = xor i64 %x, 1007
  %a8 = xor i64 %x, 1008
  %a9 = xor i64 %x, 1009
  %a10 = xor i64 %x, 1010
  %a11 = xor i64 %x, 1011
  %a12 = xor i64 %x, 1012
  %a13 = xor i64 %x, 1013
  %a14 = xor i64 %x, 1014
  %a15 = xor i64 %x, 1015
  %a16 = xor i64 %x, 1016
  %a17 = xor i64 %x, 1017
  %a18 = xor i64 %x, 1018
  %a19 = xor i64 %x, 1019
  %big = load volatile i7168, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i7168 %big, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %which = icmp eq i32 %n, 7
  br i1 %which, label %one, label %other
one:
  store volatile i64 %a0, ptr addrspace(1) %q
  store volatile i64 %a1, ptr addrspace(1) %q
  store volatile i64 %a2, ptr addrspace(1) %q
  store volatile i64 %a3, ptr addrspace(1) %q
  store volatile i64 %a4, ptr addrspace(1) %q
  store volatile i64 %a5, ptr addrspace(1) %q
  store volatile i64 %a6, ptr addrspace(1) %q
  store volatile i64 %a7, ptr addrspace(1) %q
  store volatile i64 %a8, ptr addrspace(1) %q
  store volatile i64 %a9, ptr addrspace(1) %q
  store volatile i64 %a10, ptr addrspace(1) %q
  store volatile i64 %a11, ptr addrspace(1) %q
  store volatile i64 %a12, ptr addrspace(1) %q
  store volatile i64 %a13, ptr addrspace(1) %q
  store volatile i64 %a14, ptr addrspace(1) %q
  store volatile i64 %a15, ptr addrspace(1) %q
  store volatile i64 %a16, ptr addrspace(1) %q
  store volatile i64 %a17, ptr addrspace(1) %q
  store volatile i64 %a18, ptr addrspace(1) %q
  store volatile i64 %a19, ptr addrspace(1) %q
  ret void
other:
  store volatile i64 %a0, ptr addrspace(1) %q
  store volatile i64 %a1, ptr addrspace(1) %q
  store volatile i64 %a2, ptr addrspace(1) %q
  store volatile i64 %a3, ptr addrspace(1) %q
  store volatile i64 %a4, ptr addrspace(1) %q
  store volatile i64 %a5, ptr addrspace(1) %q
  store volatile i64 %a6, ptr addrspace(1) %q
  store volatile i64 %a7, ptr addrspace(1) %q
  store volatile i64 %a8, ptr addrspace(1) %q
  store volatile i64 %a9, ptr addrspace(1) %q
  store volatile i64 %a10, ptr addrspace(1) %q
  store volatile i64 %a11, ptr addrspace(1) %q
  store volatile i64 %a12, ptr addrspace(1) %q
  store volatile i64 %a13, ptr addrspace(1) %q
  store volatile i64 %a14, ptr addrspace(1) %q
  store volatile i64 %a15, ptr addrspace(1) %q
  store volatile i64 %a16, ptr addrspace(1) %q
  store volatile i64 %a17, ptr addrspace(1) %q
  store volatile i64 %a18, ptr addrspace(1) %q
  store volatile i64 %a19, ptr addrspace(1) %q
  ret void
}
