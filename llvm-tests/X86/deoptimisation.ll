; What a statepoint records for deoptimisation is needed by whoever comes back from the call in
; another way: it is in a register that the call preserves, or in memory, though nothing else reads
; it behind the call. With the flag by which the callee is the one to read it, that may be any
; register.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -use-registers-for-deopt-values -restrict-statepoint-remat=true -verify-regalloc -verify-machineinstrs %s -o %t.s
; RUN: %FileCheck %s <%t.s

declare void @callee()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)

; CHECK-LABEL: preserved:
; CHECK:       movl %edi, [[REGISTER:%e(bx|bp|1[2-5]d?)]]
; CHECK:       callq callee
define void @preserved(i32 %a) gc "statepoint-example" {
  %token = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @callee, i32 0, i32 0, i32 0, i32 0) [ "deopt"(i32 %a) ]
  ret void
}

; CHECK-LABEL: read_by_the_callee:
; CHECK-NOT:   %edi
; CHECK:       callq callee
define void @read_by_the_callee(i32 %a) gc "statepoint-example" {
  %token = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @callee, i32 0, i32 2, i32 0, i32 0) [ "deopt"(i32 %a) ]
  ret void
}

; Eight of them are more than the call preserves.
; CHECK-LABEL: more_than_are_preserved:
; CHECK:       Spill
; CHECK:       callq callee
define void @more_than_are_preserved(i32 %a, i32 %b, i32 %c, i32 %d, i32 %e, i32 %f, ptr %p) gc "statepoint-example" {
  %g = load volatile i32, ptr %p
  %h = load volatile i32, ptr %p
  %token = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @callee, i32 0, i32 0, i32 0, i32 0) [ "deopt"(i32 %a, i32 %b, i32 %c, i32 %d, i32 %e, i32 %f, i32 %g, i32 %h) ]
  ret void
}
