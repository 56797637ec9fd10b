; Division takes and leaves its values in rax and rdx; operands that come in
; those registers, or live on, get out of the way.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

define i64 @quotient_and_remainder(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: quotient_and_remainder:
; CHECK:       # %bb.0:
; CHECK-NEXT:    movq %rdi, %rax
; CHECK-NEXT:    cqto
; CHECK-NEXT:    idivq %rsi
; CHECK-NEXT:    xorq %rdx, %rax
; CHECK-NEXT:    retq
  %q = sdiv i64 %a, %b
  %r = srem i64 %a, %b
  %s = xor i64 %q, %r
  ret i64 %s
}

define i64 @divisor_in_rdx(i64 %a, i64 %b, i64 %c) nounwind {
; CHECK-LABEL: divisor_in_rdx:
; CHECK:       # %bb.0:
; CHECK-DAG:     movq %rdx, [[C:%r[a-z0-9]+]]
; CHECK-DAG:     movq %rdi, %rax
; CHECK-DAG:     xorl %edx, %edx
; CHECK-NEXT:    divq [[C]]
; CHECK-NEXT:    retq
  %q = udiv i64 %a, %c
  ret i64 %q
}

define i64 @lives_on_in_rdx(i64 %a, i64 %b, i64 %c) nounwind {
; CHECK-LABEL: lives_on_in_rdx:
; CHECK:       # %bb.0:
; CHECK-DAG:     movq %rdx, [[C:%r[a-z0-9]+]]
; CHECK-DAG:     movq %rdi, %rax
; CHECK-DAG:     xorl %edx, %edx
; CHECK-NEXT:    divq %rsi
; CHECK-NEXT:    addq [[C]], %rax
; CHECK-NEXT:    retq
  %q = udiv i64 %a, %b
  %s = add i64 %q, %c
  ret i64 %s
}

; The product of 128 bits likewise.
define void @high_product(ptr %p, i64 %a, i64 %b) nounwind {
; CHECK-LABEL: high_product:
; CHECK:       # %bb.0:
; CHECK-NEXT:    movq %r{{dx|si}}, %rax
; CHECK-NEXT:    mulq %r{{dx|si}}
; CHECK-NEXT:    movq %rdx, (%rdi)
; CHECK-NEXT:    retq
  %x = zext i64 %a to i128
  %y = zext i64 %b to i128
  %m = mul i128 %x, %y
  %h = lshr i128 %m, 64
  %t = trunc i128 %h to i64
  store i64 %t, ptr %p
  ret void
}
