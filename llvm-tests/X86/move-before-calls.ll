; An argument that is needed behind a call on one way alone goes to a callee-saved register
; on that way; on the other nothing is saved, and the argument stays where it came.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s
; Without it both ways pay.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-disable=move-before-calls %s -o - | FileCheck --check-prefix=ALWAYS %s

declare i64 @rare(i64)

define i64 @one_way(ptr %p, i64 %n) nounwind {
; CHECK-LABEL: one_way:
; CHECK-NOT:     push
; CHECK:         cmpq $0, (%rdi)
; CHECK:         pushq [[SAVED:%rbx|%rbp|%r12|%r13|%r14|%r15]]
; CHECK:         movq %rdi, [[SAVED]]
; CHECK:         callq rare@PLT
; CHECK:         addq 8([[SAVED]]), %rax
; CHECK:         popq [[SAVED]]
; CHECK:         retq
; ALWAYS-LABEL: one_way:
; ALWAYS-NOT:     cmpq
; ALWAYS:         pushq
; ALWAYS:         cmpq
entry:
  %v = load i64, ptr %p
  %is = icmp eq i64 %v, 0
  br i1 %is, label %slow, label %fast, !prof !0

fast:
  %a = load i64, ptr %p
  %b = add i64 %a, %n
  ret i64 %b

slow:
  %r = call i64 @rare(i64 %n)
  %q = getelementptr i64, ptr %p, i64 1
  %w = load i64, ptr %q
  %s = add i64 %r, %w
  ret i64 %s
}

!0 = !{!"branch_weights", i32 1, i32 20}
