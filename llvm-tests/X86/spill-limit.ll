; One value more than -spill-limit allows is an error, and nothing is written.
; RUN: rm -f %t.s
; RUN: not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -spill-limit=0 %s \
; RUN:   -o %t.s 2>&1 | FileCheck %s --check-prefix=ERROR
; RUN: not ls %t.s
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -spill-limit=1 %s -o - | FileCheck %s

; ERROR: error: warpalloc: in function 'kept': the limit of 0 spilled values is exceeded
; ERROR-NOT: error:

; CHECK-LABEL: kept:
; CHECK:         movq %rdi, -8(%rsp) # 8-byte Spill
; CHECK:         movq -8(%rsp), %rax # 8-byte Reload
define i64 @kept(i64 %a) nounwind {
  call void asm sideeffect "", "~{rax},~{rbx},~{rcx},~{rdx},~{rsi},~{rdi},~{rbp},~{r8},~{r9},~{r10},~{r11},~{r12},~{r13},~{r14},~{r15}"()
  ret i64 %a
}

; Needs no memory, so that no limit stops it.
define i64 @free(i64 %a) nounwind {
  ret i64 %a
}
