; RUN: %llc -O2 -regalloc=warpalloc -verify-regalloc -verify-machineinstrs \
; RUN:   -mtriple=x86_64-linux-gnu %s -o - | FileCheck %s
; RUN: %llc -O2 -regalloc=warpalloc -warpalloc-disable=remat \
; RUN:   -mtriple=x86_64-linux-gnu %s -o - | FileCheck %s --check-prefix=WITHOUT

; Six values survive the calls of the loop, as many as there are registers for. Which way out
; of it was taken is a constant on both: it is computed there, and takes none of these.

; CHECK-LABEL: find:
; CHECK-NOT: Spill
; CHECK: callq g
; CHECK-NOT: Spill
; CHECK: retq

; WITHOUT-LABEL: find:
; WITHOUT: Spill

declare i64 @g(i64)

define i64 @find(i64 %n, i64 %a, i64 %b, i64 %c, ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at
  %y = call i64 @g(i64 %x)
  %found = icmp eq i64 %y, %a
  br i1 %found, label %out, label %latch

latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out

out:
  %which = phi i64 [ 1, %loop ], [ 0, %latch ]
  %last = phi i64 [ %i, %loop ], [ %next, %latch ]
  %s = mul i64 %which, %b
  %t = add i64 %s, %last
  %u = xor i64 %t, %c
  ret i64 %u
}
