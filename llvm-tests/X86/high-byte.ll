; ah is read only from rax, rbx, rcx and rdx, and never next to a REX prefix.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s
; The assembler refuses what cannot be encoded.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -filetype=obj -o %t.o
; RUN: llvm-objdump -d --no-show-raw-insn %t.o | FileCheck %s --check-prefix=OBJECT

define i32 @second_byte(i32 %a) nounwind {
; CHECK-LABEL: second_byte:
; CHECK:       # %bb.0:
; CHECK-NEXT:    movl %edi, %eax
; CHECK-NEXT:    movzbl %ah, %eax
; CHECK-NEXT:    retq
; OBJECT-LABEL: <second_byte>:
; OBJECT:         movzbl %ah, %eax
  %s = lshr i32 %a, 8
  %m = and i32 %s, 255
  ret i32 %m
}

; Eight arguments and the byte: enough pressure that only REX registers are left.
define i64 @under_pressure(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, ptr %p) nounwind {
; CHECK-LABEL: under_pressure:
; CHECK:         movzbl %{{[abcd]}}h, %{{e[abcd]x|esi|edi|ebp}}
; OBJECT-LABEL: <under_pressure>:
; OBJECT:         movzbl %{{[abcd]}}h, %{{e[abcd]x|esi|edi|ebp}}
  %v = load i64, ptr %p
  %s = lshr i64 %v, 8
  %m = and i64 %s, 255
  %1 = mul i64 %a, %m
  %2 = mul i64 %b, %1
  %3 = mul i64 %c, %2
  %4 = add i64 %d, %3
  %5 = mul i64 %e, %4
  %6 = xor i64 %f, %5
  %7 = sub i64 %6, %v
  ret i64 %7
}

; The remainder of an 8-bit division is in ah.
define i8 @remainder(i8 %a, i8 %b) nounwind {
; CHECK-LABEL: remainder:
; CHECK:       # %bb.0:
; CHECK-NEXT:    movzbl %dil, %eax
; CHECK-NEXT:    divb %sil
; CHECK-NEXT:    movzbl %ah, %eax
; CHECK:         retq
  %r = urem i8 %a, %b
  ret i8 %r
}
