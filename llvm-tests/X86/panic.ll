; A panic in the allocator becomes an LLVM error that names the function; it does
; not cross into C++, and nothing is written.
; RUN: rm -f %t.s
; RUN: not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-plant-panic=second %s \
; RUN:   -o %t.s 2>&1 | FileCheck %s
; RUN: not ls %t.s
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-plant-panic=fourth %s \
; RUN:   -o - | FileCheck %s --check-prefix=ELSEWHERE

; CHECK: error: warpalloc: in function 'second': {{.*}}panic
; CHECK-NOT: Stack dump
; CHECK-NOT: in function 'first'
; CHECK-NOT: in function 'third'
; ELSEWHERE-LABEL: first:
; ELSEWHERE-LABEL: second:
; ELSEWHERE-LABEL: third:

define i64 @first(i64 %a) nounwind {
  ret i64 %a
}
define i64 @second(i64 %a) nounwind {
  ret i64 %a
}
define i64 @third(i64 %a) nounwind {
  ret i64 %a
}
