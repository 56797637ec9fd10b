; What lives across a call goes to a callee-saved register, which is saved and
; restored; as many are saved as are needed.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare i64 @callee(i64)

define i64 @one(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: one:
; CHECK:       # %bb.0:
; CHECK-NEXT:    pushq [[SAVED:%rbx|%rbp|%r12|%r13|%r14|%r15]]
; CHECK-NEXT:    movq %rsi, [[SAVED]]
; CHECK-NEXT:    callq callee@PLT
; CHECK-NEXT:    addq [[SAVED]], %rax
; CHECK-NEXT:    popq [[SAVED]]
; CHECK-NEXT:    retq
  %v = call i64 @callee(i64 %a)
  %s = add i64 %v, %b
  ret i64 %s
}

define i64 @five(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f) nounwind {
; CHECK-LABEL:   five:
; CHECK:         # %bb.0:
; CHECK-COUNT-5:   pushq
; CHECK-NOT:       pushq
; CHECK-NOT:       Spill
; CHECK-DAG:       movq %rsi, [[B:%r[a-z0-9]+]]
; CHECK-DAG:       movq %rdx, [[C:%r[a-z0-9]+]]
; CHECK-DAG:       movq %rcx, [[D:%r[a-z0-9]+]]
; CHECK-DAG:       movq %r8, [[E:%r[a-z0-9]+]]
; CHECK-DAG:       movq %r9, [[F:%r[a-z0-9]+]]
; CHECK:           callq callee@PLT
; CHECK-NEXT:      addq [[B]], %rax
; CHECK-NEXT:      imulq [[C]], %rax
; CHECK-NEXT:      addq [[D]], %rax
; CHECK-NEXT:      imulq [[E]], %rax
; CHECK-NEXT:      addq [[F]], %rax
; CHECK-COUNT-5:   popq
; CHECK-NEXT:      retq
  %v = call i64 @callee(i64 %a)
  %1 = add i64 %v, %b
  %2 = mul i64 %1, %c
  %3 = add i64 %2, %d
  %4 = mul i64 %3, %e
  %5 = add i64 %4, %f
  ret i64 %5
}

; Nothing lives across the call; %rax is pushed to align the stack.
define i64 @none(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: none:
; CHECK:       # %bb.0:
; CHECK-NEXT:    pushq %rax
; CHECK-NEXT:    addq %rsi, %rdi
; CHECK-NEXT:    callq callee@PLT
; CHECK-NEXT:    shlq $3, %rax
; CHECK-NEXT:    popq %rcx
; CHECK-NEXT:    retq
  %s = add i64 %a, %b
  %v = call i64 @callee(i64 %s)
  %t = shl i64 %v, 3
  ret i64 %t
}
