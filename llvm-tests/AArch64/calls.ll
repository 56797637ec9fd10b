; Values that live across calls are in callee-saved registers; of a vector
; register, a call of the C convention keeps only the lower half. Arguments stay
; where they are.
; RUN: %llc -mtriple=aarch64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare i64 @callee(i64)
declare void @use(ptr)
define i64 @one(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: one:
; CHECK:         stp x30, [[B:x19|x2[0-8]]], [sp, #-16]!
; CHECK-NEXT:    mov [[B]], x1
; CHECK-NEXT:    bl callee
; CHECK-NEXT:    add x0, x0, [[B]]
; CHECK-NEXT:    ldp x30, [[B]], [sp], #16
; CHECK-NEXT:    ret
  %v = call i64 @callee(i64 %a)
  %s = add i64 %v, %b
  ret i64 %s
}
define double @lower_half(double %a) nounwind {
; CHECK-LABEL: lower_half:
; CHECK:         fmov [[A:d[89]|d1[0-5]]], d0
; CHECK-NEXT:    bl callee
; CHECK:         fadd d0, [[A]], [[A]]
  %v = call i64 @callee(i64 1)
  %r = fadd double %a, %a
  ret double %r
}
define <2 x double> @whole(<2 x double> %a) nounwind {
; CHECK-LABEL: whole:
; CHECK:         str q0, [sp] // 16-byte Spill
; CHECK-NEXT:    bl callee
; CHECK-NEXT:    ldr q0, [sp] // 16-byte Reload
; CHECK-NOT:     mov v
; CHECK:         ret
  %v = call i64 @callee(i64 1)
  ret <2 x double> %a
}
declare aarch64_vector_pcs void @vector_callee()
define <2 x double> @vector_pcs(<2 x double> %a) nounwind {
; CHECK-LABEL: vector_pcs:
; CHECK:         mov [[A:v[0-9]+]].16b, v0.16b
; CHECK-NEXT:    bl vector_callee
; CHECK-NEXT:    mov v0.16b, [[A]].16b
; CHECK-NOT:     q0
; CHECK:         ret
  call aarch64_vector_pcs void @vector_callee()
  ret <2 x double> %a
}
define i64 @tail(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: tail:
; CHECK:         mul x0, x0, x1
; CHECK-NEXT:    b callee
  %m = mul i64 %a, %b
  %r = tail call i64 @callee(i64 %m)
  ret i64 %r
}
define i64 @indirect_tail(ptr %f, i64 %a, i64 %b) nounwind {
; CHECK-LABEL: indirect_tail:
; CHECK:         str x0, [sp, #[[F:[0-9]+]]] // 8-byte Spill
; CHECK:         bl callee
; CHECK-NEXT:    mov x1, {{x19|x2[0-8]}}
; CHECK:         ldr [[T:x([2-9]|1[0-7])]], [sp, #[[F]]] // 8-byte Reload
; CHECK:         br [[T]]
  %v = call i64 @callee(i64 %b)
  %r = tail call i64 %f(i64 %v, i64 %a)
  ret i64 %r
}
define i128 @cas(ptr %p, i128 %o, i128 %n) nounwind "target-features"="+lse" {
; CHECK-LABEL: cas:
; CHECK:         caspal [[O:x[0-9]+]], [[P:x[0-9]+]], x{{[0-9]*[02468]}}, x{{[0-9]*[13579]}}, [x0]
; CHECK-NEXT:    mov x0, [[O]]
; CHECK-NEXT:    mov x1, [[P]]
; CHECK-NEXT:    ret
  %r = cmpxchg ptr %p, i128 %o, i128 %n seq_cst seq_cst
  %v = extractvalue { i128, i1 } %r, 0
  ret i128 %v
}
