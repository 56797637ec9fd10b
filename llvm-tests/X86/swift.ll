; swifterror lives in r12, swiftself in r13, from end to end.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare swiftcc void @thrower(ptr swifterror)

define swiftcc i64 @catches(i64 %a) nounwind {
; CHECK-LABEL: catches:
; CHECK:         movq %rdi, [[A:%rbx|%rbp|%r1[45]]]
; CHECK:         xorl %r12d, %r12d
; CHECK:         callq thrower@PLT
; CHECK-NEXT:    testq %r12, %r12
; CHECK-NOT:     Spill
; CHECK:         movq [[A]], %rax
; CHECK:         popq %r12
; CHECK:         retq
  %e = alloca swifterror ptr
  store ptr null, ptr %e
  call swiftcc void @thrower(ptr swifterror %e)
  %v = load ptr, ptr %e
  %n = icmp eq ptr %v, null
  %r = select i1 %n, i64 %a, i64 0
  ret i64 %r
}

define swiftcc void @throws(ptr swifterror %e, ptr %v) nounwind {
; CHECK-LABEL: throws:
; CHECK:       # %bb.0:
; CHECK-NEXT:    movq %rdi, %r12
; CHECK-NEXT:    retq
  store ptr %v, ptr %e
  ret void
}

define swiftcc void @self(ptr swiftself %s, i64 %a) nounwind {
; CHECK-LABEL: self:
; CHECK:       # %bb.0:
; CHECK-NEXT:    addq %rdi, (%r13)
; CHECK-NEXT:    retq
  %v = load i64, ptr %s
  %r = add i64 %v, %a
  store i64 %r, ptr %s
  ret void
}
