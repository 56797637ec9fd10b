; Values are computed in the registers that the call takes them in.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare i64 @callee(i64, i64, i64)
declare double @fcallee(double, i64)

; %rdi is the address until the last load.
define i64 @loaded(ptr %p) nounwind {
; CHECK-LABEL: loaded:
; CHECK:         movq (%rdi), [[FIRST:%r[a-z0-9]+]]
; CHECK-NEXT:    movq 8(%rdi), %rsi
; CHECK-NEXT:    movq 16(%rdi), %rdx
; CHECK-NEXT:    movq [[FIRST]], %rdi
; CHECK-NEXT:    callq callee@PLT
; CHECK-NEXT:    incq %rax
  %q = getelementptr i64, ptr %p, i64 1
  %r = getelementptr i64, ptr %p, i64 2
  %a = load i64, ptr %p
  %b = load i64, ptr %q
  %c = load i64, ptr %r
  %v = call i64 @callee(i64 %a, i64 %b, i64 %c)
  %s = add i64 %v, 1
  ret i64 %s
}

define double @mixed(i64 %n, double %x) nounwind {
; CHECK-LABEL: mixed:
; CHECK:         shlq $3, %rdi
; CHECK-NEXT:    callq fcallee@PLT
; CHECK-NEXT:    addsd %xmm0, %xmm0
  %m = shl i64 %n, 3
  %v = call double @fcallee(double %x, i64 %m)
  %s = fadd double %v, %v
  ret double %s
}

; Two values change places: three copies, not more.
define i64 @swapped(i64 %a, i64 %b, i64 %c) nounwind {
; CHECK-LABEL: swapped:
; CHECK:         pushq %rax
; CHECK-COUNT-3: movq %r
; CHECK-NEXT:    callq callee@PLT
; CHECK-NEXT:    incq %rax
  %v = call i64 @callee(i64 %b, i64 %a, i64 %c)
  %s = add i64 %v, 1
  ret i64 %s
}

; The result of one call is an argument of the next.
define i64 @chained(i64 %a) nounwind {
; CHECK-LABEL: chained:
; CHECK:         callq callee@PLT
; CHECK-NOT:     %rbx
; CHECK-DAG:     movl $3, %edx
; CHECK-DAG:     movq %rax, %rdi
; CHECK-DAG:     movq %rax, %rsi
; CHECK-NEXT:    callq callee@PLT
; CHECK-NEXT:    popq
; CHECK-NEXT:    retq
  %1 = call i64 @callee(i64 %a, i64 1, i64 2)
  %2 = call i64 @callee(i64 %1, i64 %1, i64 3)
  ret i64 %2
}
