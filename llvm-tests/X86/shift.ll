; The amount of a shift goes into cl, also where the shifted value, or one that
; lives on, comes in rcx.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

define void @amount_in_rcx(ptr %p, i64 %a, i64 %b, i64 %n) nounwind {
; CHECK-LABEL: amount_in_rcx:
; CHECK:       # %bb.0:
; CHECK-NOT:     mov
; CHECK:         shlq %cl, %rsi
; CHECK-NEXT:    movq %rsi, (%rdi)
; CHECK-NEXT:    retq
  %s = shl i64 %a, %n
  store i64 %s, ptr %p
  ret void
}

define i64 @value_in_rcx(i64 %n, i64 %b, i64 %c, i64 %d) nounwind {
; CHECK-LABEL: value_in_rcx:
; CHECK:       # %bb.0:
; CHECK-NEXT:    movq %rcx, %rax
; CHECK-NEXT:    mov{{[lq]}} %{{[er]}}di, %{{[er]}}cx
; CHECK:         shrq %cl, %rax
; CHECK-NEXT:    retq
  %s = lshr i64 %d, %n
  ret i64 %s
}

define void @lives_on_in_rcx(ptr %p, i64 %a, i64 %n, i64 %d) nounwind {
; CHECK-LABEL: lives_on_in_rcx:
; CHECK:       # %bb.0:
; CHECK-NEXT:    movq %rcx, [[D:%r[a-z0-9]+]]
; CHECK-NEXT:    mov{{[lq]}} %{{[er]}}dx, %{{[er]}}cx
; CHECK:         shlq %cl, %rsi
; CHECK-NEXT:    movq %rsi, (%rdi)
; CHECK-NEXT:    movq [[D]], 8(%rdi)
; CHECK-NEXT:    retq
  %s = shl i64 %a, %n
  store i64 %s, ptr %p
  %q = getelementptr i64, ptr %p, i64 1
  store i64 %d, ptr %q
  ret void
}
