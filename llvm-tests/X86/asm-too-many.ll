; Assembly that needs more registers than there are is an error that names the
; function; nothing is written. A function that is fine does not change that.
; RUN: rm -f %t.s
; RUN: not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s \
; RUN:   -o %t.s 2>&1 | FileCheck %s
; RUN: not ls %t.s

; CHECK: error: warpalloc: in function 'sixteen': {{.*}}regist
; CHECK-NOT: error:
; CHECK-NOT: Stack dump

define i64 @fine(i64 %a) nounwind {
  ret i64 %a
}

define i64 @sixteen() nounwind {
  %r = call { i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64 } asm sideeffect "", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r"()
  %x = extractvalue { i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64 } %r, 3
  ret i64 %x
}

define i64 @also_fine(i64 %a) nounwind {
  %b = add i64 %a, 1
  ret i64 %b
}
