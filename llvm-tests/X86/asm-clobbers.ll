; What lives across assembly avoids the registers that it clobbers.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

; Three caller-saved registers are left: none is saved, nothing goes to memory.
define i64 @some(i64 %a, i64 %b, i64 %c) nounwind {
; CHECK-LABEL: some:
; CHECK-NOT:     push
; CHECK-NOT:     Spill
; CHECK-DAG:     movq %rdi, [[A:%r9|%r10|%r11]]
; CHECK-DAG:     movq %rsi, [[B:%r9|%r10|%r11]]
; CHECK-DAG:     movq %rdx, [[C:%r9|%r10|%r11]]
; CHECK:         #APP
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:    addq
; CHECK-NEXT:    imulq
  call void asm sideeffect "", "~{rax},~{rcx},~{rdx},~{rsi},~{rdi},~{r8}"()
  %s = add i64 %a, %b
  %t = mul i64 %s, %c
  ret i64 %t
}

; None is left: the value waits in memory, in the red zone.
define i64 @all(i64 %a) nounwind {
; CHECK-LABEL:   all:
; CHECK-COUNT-6:   pushq
; CHECK-NEXT:      movq %rdi, -8(%rsp) # 8-byte Spill
; CHECK-NEXT:      #APP
; CHECK-NEXT:      #NO_APP
; CHECK-NEXT:      movq -8(%rsp), %rax # 8-byte Reload
; CHECK-COUNT-6:   popq
; CHECK-NEXT:      retq
  call void asm sideeffect "", "~{rax},~{rbx},~{rcx},~{rdx},~{rsi},~{rdi},~{rbp},~{r8},~{r9},~{r10},~{r11},~{r12},~{r13},~{r14},~{r15}"()
  ret i64 %a
}

; A clobbered part of a register is one too many.
define double @vector(double %a) nounwind "target-features"="+avx" {
; CHECK-LABEL: vector:
; CHECK:         vmov{{aps|apd}} %xmm0, [[A:%xmm[2-9]]]
; CHECK-NEXT:    #APP
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:    vmov{{aps|apd}} [[A]], %xmm0
; CHECK:         retq
  call void asm sideeffect "", "~{ymm0},~{xmm1}"()
  ret double %a
}
