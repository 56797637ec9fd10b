; An output of asm goto lives across code that leaves no register. The store
; goes to the beginning of the blocks that it jumps to, or the error is clear.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

define i64 @asm_goto(i64 %a) nounwind {
; CHECK-LABEL: asm_goto:
; CHECK:         movq %rdi, [[OUT:%r[a-z0-9]+]]
; CHECK:         jne [[ERROR:.LBB[0-9_]+]]
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:  # %bb.1: # %fall
; CHECK:         movq [[OUT]], [[SLOT:-[0-9]+\(%rsp\)]] # 8-byte Spill
; CHECK-NEXT:    #APP
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:    movq [[SLOT]], %rax # 8-byte Reload
; CHECK:         retq
; CHECK:       [[ERROR]]:
; CHECK:         movq $-1, %rax
; CHECK:         retq
  %r = callbr i64 asm "testq $1, $1; movq $1, $0; jne ${2:l}", "=r,r,!i"(i64 %a) to label %fall [label %error]
fall:
  call void asm sideeffect "", "~{rax},~{rbx},~{rcx},~{rdx},~{rsi},~{rdi},~{rbp},~{r8},~{r9},~{r10},~{r11},~{r12},~{r13},~{r14},~{r15}"()
  ret i64 %r
error:
  ret i64 -1
}
