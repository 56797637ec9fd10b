; An output of asm goto lives across code that leaves no register, once on the
; way that falls through and once on the way that jumps. A store right behind
; the assembly happens on the first only.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

define i64 @falls_through(i64 %a) nounwind {
; CHECK-LABEL: falls_through:
; CHECK:         movq %rdi, [[OUT:%r[a-z0-9]+]]
; CHECK:         jne
; CHECK-NEXT:    #NO_APP
; CHECK:         movq [[OUT]], [[SLOT:-[0-9]+\(%rsp\)]] # 8-byte Spill
; CHECK:         #APP
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:    movq [[SLOT]], %rax # 8-byte Reload
; CHECK:         retq
  %r = callbr i64 asm "testq $1, $1; movq $1, $0; jne ${2:l}", "=r,r,!i"(i64 %a) to label %fall [label %error]
fall:
  call void asm sideeffect "", "~{rax},~{rbx},~{rcx},~{rdx},~{rsi},~{rdi},~{rbp},~{r8},~{r9},~{r10},~{r11},~{r12},~{r13},~{r14},~{r15}"()
  ret i64 %r
error:
  ret i64 -1
}

define i64 @jumps(i64 %a) nounwind {
; CHECK-LABEL: jumps:
; CHECK:         movq %rdi, [[OUT:%r[a-z0-9]+]]
; CHECK-NEXT:    jne [[ERROR:.LBB[0-9_]+]]
; CHECK-NEXT:    #NO_APP
; CHECK-NOT:     Reload
; CHECK:       [[ERROR]]: # Inline asm indirect target
; CHECK:         movq [[OUT]], [[SLOT:-[0-9]+\(%rsp\)]] # 8-byte Spill
; CHECK-NEXT:    #APP
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:    movq [[SLOT]], %rax # 8-byte Reload
  %r = callbr i64 asm "testq $1, $1; movq $1, $0; jne ${2:l}", "=r,r,!i"(i64 %a) to label %fall [label %error]
fall:
  ret i64 -1
error:
  call void asm sideeffect "", "~{rax},~{rbx},~{rcx},~{rdx},~{rsi},~{rdi},~{rbp},~{r8},~{r9},~{r10},~{r11},~{r12},~{r13},~{r14},~{r15}"()
  ret i64 %r
}
