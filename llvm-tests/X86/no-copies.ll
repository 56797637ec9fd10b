; Straight-line code that works in the argument registers needs no copy at all.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - \
; RUN:   | FileCheck %s --implicit-check-not="mov{{[a-z]*}} %{{[a-z0-9]+}}, %"

define void @difference(ptr %p, i64 %a, i64 %b) nounwind {
; CHECK-LABEL: difference:
; CHECK:       # %bb.0:
; CHECK-NEXT:    subq %rdx, %rsi
; CHECK-NEXT:    movq %rsi, (%rdi)
; CHECK-NEXT:    retq
  %d = sub i64 %a, %b
  store i64 %d, ptr %p
  ret void
}

define i64 @sum_times(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: sum_times:
; CHECK:       # %bb.0:
; CHECK-NEXT:    leaq (%r{{[ds]}}i,%r{{[ds]}}i), %rax
; CHECK-NEXT:    imulq %rdi, %rax
; CHECK-NEXT:    retq
  %s = add i64 %a, %b
  %m = mul i64 %s, %a
  ret i64 %m
}

define double @multiply_add(double %a, double %b, double %c) nounwind {
; CHECK-LABEL: multiply_add:
; CHECK:       # %bb.0:
; CHECK-NEXT:    mulsd %xmm1, %xmm0
; CHECK-NEXT:    addsd %xmm2, %xmm0
; CHECK-NEXT:    retq
  %m = fmul double %a, %b
  %s = fadd double %m, %c
  ret double %s
}

define i64 @loaded(ptr %p) nounwind {
; CHECK-LABEL: loaded:
; CHECK:       # %bb.0:
; CHECK-NEXT:    movq 8(%rdi), %rax
; CHECK-NEXT:    addq (%rdi), %rax
; CHECK-NEXT:    retq
  %q = getelementptr i64, ptr %p, i64 1
  %a = load i64, ptr %p
  %b = load i64, ptr %q
  %s = add i64 %b, %a
  ret i64 %s
}
