; al and ah are different registers: the quotient in al stays where it is while
; the remainder is read from ah, and no copy is needed.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

define i8 @both(i8 %a, i8 %b) nounwind {
; CHECK-LABEL: both:
; CHECK:       # %bb.0:
; CHECK-NEXT:    movzbl %dil, %eax
; CHECK-NEXT:    divb %sil
; CHECK-NEXT:    movzbl %ah, %e{{[bcd]x|si|di}}
; CHECK-NEXT:    xorb %{{[bcd]l|sil|dil}}, %al
; CHECK-NEXT:    retq
  %q = udiv i8 %a, %b
  %r = urem i8 %a, %b
  %s = xor i8 %q, %r
  ret i8 %s
}
