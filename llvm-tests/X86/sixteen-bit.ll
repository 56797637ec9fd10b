; 16-bit values: division by dx:ax, memory operands, and no copy between.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

define void @in_memory(ptr %p, i16 %a) nounwind {
; CHECK-LABEL: in_memory:
; CHECK:       # %bb.0:
; CHECK-NEXT:    addw %si, (%rdi)
; CHECK-NEXT:    retq
  %v = load i16, ptr %p
  %s = add i16 %v, %a
  store i16 %s, ptr %p
  ret void
}

define i16 @remainder(i16 %a, i16 %b) nounwind {
; CHECK-LABEL: remainder:
; CHECK:       # %bb.0:
; CHECK-NEXT:    movl %edi, %eax
; CHECK:         cwtd
; CHECK-NEXT:    idivw %si
; CHECK-NEXT:    movl %edx, %eax
; CHECK-NEXT:    retq
  %r = srem i16 %a, %b
  ret i16 %r
}

define void @quotient(ptr %p, i16 %a, i16 %b, i16 %c) nounwind {
; CHECK-LABEL: quotient:
; CHECK:       # %bb.0:
; CHECK-DAG:     movl %edx, [[B:%[a-z0-9]+]]
; CHECK-DAG:     movl %esi, %eax
; CHECK-DAG:     xorl %edx, %edx
; CHECK:         divw %{{[a-z0-9]+}}
; CHECK-NOT:     movl
; CHECK:         addl
; CHECK-NEXT:    movw %{{[a-z0-9]+}}, (%rdi)
; CHECK-NEXT:    retq
  %q = udiv i16 %a, %b
  %s = add i16 %q, %c
  store i16 %s, ptr %p
  ret void
}
