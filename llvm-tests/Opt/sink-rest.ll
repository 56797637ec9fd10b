; What is still too many once what is cheap is computed again costs what the cheapest of the
; rest costs to spill: here two registers that are read once. What is used in a loop, at three
; operations each time, is not computed again there for them.
; RUN: %opt -passes='warpalloc-sink,function(dce)' -verify-each -S %s | %FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @the_rest(
; CHECK: entry:
; CHECK-NOT: xor
; CHECK: ashr i32
; CHECK: ashr i32
; CHECK: ashr i32
; CHECK: ashr i32
; CHECK: first:
; CHECK: second:
; CHECK-NOT: ashr
; CHECK-COUNT-16: xor i32 %x
; CHECK-NOT: ashr
; CHECK: ret void
define ptx_kernel void @the_rest(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) "nvvm.maxnreg"="39" "target-cpu"="sm_90" {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %u = load volatile i32, ptr addrspace(1) %p
  %v = load volatile i32, ptr addrspace(1) %p
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
  %s0 = shl i32 %x, 1
  %t0 = sub i32 %s0, 5
  %d0 = ashr i32 %t0, 2
  %s1 = shl i32 %x, 2
  %t1 = sub i32 %s1, 82
  %d1 = ashr i32 %t1, 3
  %s2 = shl i32 %x, 3
  %t2 = sub i32 %s2, 159
  %d2 = ashr i32 %t2, 4
  %s3 = shl i32 %x, 4
  %t3 = sub i32 %s3, 236
  %d3 = ashr i32 %t3, 5
  %big = load volatile i1024, ptr addrspace(1) %p
  br label %first
first:
  %i = phi i32 [ 0, %entry ], [ %next, %first ]
  store volatile i1024 %big, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %first, label %second
second:
  %j = phi i32 [ 0, %first ], [ %after, %second ]
  store volatile i32 %d0, ptr addrspace(1) %q
  store volatile i32 %d1, ptr addrspace(1) %q
  store volatile i32 %d2, ptr addrspace(1) %q
  store volatile i32 %d3, ptr addrspace(1) %q
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
  %after = add i32 %j, 1
  %again = icmp slt i32 %after, %n
  br i1 %again, label %second, label %end
end:
  store volatile i32 %u, ptr addrspace(1) %q
  store volatile i32 %v, ptr addrspace(1) %q
  ret void
}
