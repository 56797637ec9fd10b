; RUN: %llc -O2 -regalloc=warpalloc -verify-regalloc -verify-machineinstrs \
; RUN:   -mtriple=sparcv9-linux-gnu %s -o - | FileCheck %s

; A value moves out of the way of a call that hardly ever runs and back into the register that it
; came from: no operand names another register, and still its live interval is another one.

; CHECK-LABEL: store_after_call:
; CHECK-DAG: call cold
; CHECK-DAG: st %g0, [%i1]

declare i32 @cold(ptr, ptr, i32)

define i64 @store_after_call(ptr %unused, ptr %kept, i1 %likely) {
  br i1 %likely, label %store, label %call, !prof !0

call:
  %result = call i32 @cold(ptr null, ptr null, i32 0)
  br label %store

store:
  store i32 0, ptr %kept, align 4
  ret i64 0
}

!0 = !{!"branch_weights", !"expected", i32 2000, i32 1}
