; `python3 tools reduce` cuts a module down to the function that fails.
; RUN: python3 %S/../../tools reduce message --text "planted panic" %s -- -mtriple=x86_64-linux-gnu \
; RUN:   -warpalloc-plant-panic=second >%t.log 2>&1
; RUN: FileCheck %s <%S/../../target/reduce/reduce.ll
; A module that does not fail is not reduced.
; RUN: not python3 %S/../../tools reduce message --text "planted panic" %s -- -mtriple=x86_64-linux-gnu

; CHECK-NOT: define {{.*}} @first
; CHECK: define {{.*}} @second
; CHECK-NOT: mul
; CHECK-NOT: define {{.*}} @third
define i64 @first(i64 %a) nounwind {
  ret i64 %a
}

define i64 @second(i64 %a) nounwind {
  %b = mul i64 %a, %a
  ret i64 %b
}

define i64 @third(i64 %a) nounwind {
  ret i64 %a
}
