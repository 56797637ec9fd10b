; Invariants move in front of loops that have registers left for them.
; RUN: %opt -passes=warpalloc-hoist -verify-each -S %s | %FileCheck %s --check-prefixes=CHECK,ALL
; RUN: %opt -passes=warpalloc-hoist -warpalloc-knob=381=1 -S %s | %FileCheck %s --check-prefixes=CHECK,INNER
; RUN: %opt -passes=warpalloc-hoist -warpalloc-knob=381=3 -S %s | %FileCheck %s --check-prefix=NONE
; RUN: %not %opt -passes=warpalloc-hoist -warpalloc-knob=381=2 -S %s 2>&1 | %FileCheck %s --check-prefix=WRONG
; RUN: %opt -passes=warpalloc-hoist -nvptx-regalloc-pressure-limit=12 -S %s | %FileCheck %s --check-prefix=FULL

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; WRONG: knob 381 takes one of 0, 1, 3, not '2'

; Out of both loops, or only out of the inner one.
; CHECK-LABEL: define ptx_kernel void @nest(
; ALL: entry:
; ALL: mul i32 %m, %m
; ALL: outer:
; INNER: outer:
; INNER: mul i32 %m, %m
; CHECK: inner:
; CHECK-NOT: mul i32 %m, %m
; CHECK: ret void
; NONE-LABEL: define ptx_kernel void @nest(
; NONE: inner:
; NONE: mul i32 %m, %m
; A division by what may be zero stays, and so does what the loop changes.
; CHECK-LABEL: define ptx_kernel void @stays(
; CHECK: inner:
; CHECK: udiv
; CHECK: add i32 %i, %m
; FULL-LABEL: define ptx_kernel void @full(
; FULL: inner:
; FULL: mul i32 %m, %m
; CHECK-LABEL: define ptx_kernel void @full(
; CHECK: mul i32 %m, %m
; CHECK: inner:
define ptx_kernel void @nest(ptr addrspace(1) %q, i32 %n, i32 %m) "target-cpu"="sm_90" {
entry:
  br label %outer
outer:
  %o = phi i32 [ 0, %entry ], [ %o.next, %next ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %i.next, %inner ]
  %square = mul i32 %m, %m
  store volatile i32 %square, ptr addrspace(1) %q
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %inner, label %next
next:
  %o.next = add i32 %o, 1
  %again = icmp slt i32 %o.next, %n
  br i1 %again, label %outer, label %end
end:
  ret void
}

define ptx_kernel void @stays(ptr addrspace(1) %q, i32 %n, i32 %m) "target-cpu"="sm_90" {
entry:
  br label %inner
inner:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %zero = icmp eq i32 %m, 0
  br i1 %zero, label %next, label %divide
divide:
  %part = udiv i32 %n, %m
  store volatile i32 %part, ptr addrspace(1) %q
  br label %next
next:
  %sum = add i32 %i, %m
  store volatile i32 %sum, ptr addrspace(1) %q
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %inner, label %end
end:
  ret void
}

define ptx_kernel void @full(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n, i32 %m) "target-cpu"="sm_90" {
entry:
  %big = load volatile i320, ptr addrspace(1) %p
  br label %inner
inner:
  %i = phi i32 [ 0, %entry ], [ %i.next, %inner ]
  %square = mul i32 %m, %m
  store volatile i32 %square, ptr addrspace(1) %q
  store volatile i320 %big, ptr addrspace(1) %q
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %inner, label %end
end:
  ret void
}
