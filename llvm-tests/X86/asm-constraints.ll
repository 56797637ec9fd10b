; Constraints of inline assembly: early clobbers, ties, fixed registers.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

; An early-clobbered output is not in the register of an input,
define i64 @early_clobber(i64 %a) nounwind {
; CHECK-LABEL: early_clobber:
; CHECK:         movq $1, %rax
; CHECK-NEXT:    addq %rdi, %rax
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:    retq
  %r = call i64 asm "movq $$1, $0; addq $1, $0", "=&r,r"(i64 %a)
  ret i64 %r
}

; not even where the input comes in the register of the result.
define i64 @early_clobber_hinted(ptr %p) nounwind {
; CHECK-LABEL: early_clobber_hinted:
; CHECK:         movq (%rdi), [[IN:%r[b-ds0-9][a-z0-9]*|%rdi]]
; CHECK-NEXT:    #APP
; CHECK-NEXT:    movq $1, %rax
; CHECK-NEXT:    addq [[IN]], %rax
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:    retq
  %a = load i64, ptr %p
  %r = call i64 asm "movq $$1, $0; addq $1, $0", "=&r,r"(i64 %a)
  ret i64 %r
}

; Any other output may be.
define void @late_output(ptr %p, i64 %a) nounwind {
; CHECK-LABEL: late_output:
; CHECK:         #APP
; CHECK-NEXT:    leaq 1(%rsi), [[OUT:%r[a-z0-9]+]]
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:    movq [[OUT]], (%rdi)
; CHECK-NEXT:    retq
  %r = call i64 asm "leaq 1($1), $0", "=r,r"(i64 %a)
  store i64 %r, ptr %p
  ret void
}

; A tied output is in the register of its input,
define void @tied(ptr %p, i64 %a, i64 %b) nounwind {
; CHECK-LABEL: tied:
; CHECK:       # %bb.0:
; CHECK-NEXT:    #APP
; CHECK-NEXT:    addq %rdx, %rsi
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:    movq %rsi, (%rdi)
; CHECK-NEXT:    retq
  %r = call i64 asm "addq $2, $0", "=r,0,r"(i64 %a, i64 %b)
  store i64 %r, ptr %p
  ret void
}

; which is copied if it lives on.
define i64 @tied_lives_on(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: tied_lives_on:
; CHECK:       # %bb.0:
; CHECK-NEXT:    movq %rdi, %rax
; CHECK-NEXT:    #APP
; CHECK-NEXT:    addq %rsi, %rax
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:    imulq %rdi, %rax
; CHECK-NEXT:    retq
  %r = call i64 asm "addq $2, $0", "=r,0,r"(i64 %a, i64 %b)
  %s = mul i64 %r, %a
  ret i64 %s
}

; Every input has its place, and rbx, callee-saved, is restored.
define void @fixed(i32 %a, i32 %b, i32 %c, i32 %d) nounwind {
; CHECK-LABEL: fixed:
; CHECK:         pushq %rbx
; CHECK:         #APP
; CHECK-NEXT:    # %eax %ebx %ecx %edx
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:    popq %rbx
; CHECK-NEXT:    retq
  call void asm sideeffect "# $0 $1 $2 $3", "{eax},{ebx},{ecx},{edx}"(i32 %d, i32 %c, i32 %b, i32 %a)
  ret void
}

define i64 @system_call(i64 %number, i64 %a) nounwind {
; CHECK-LABEL: system_call:
; CHECK:       # %bb.0:
; CHECK-NEXT:    movq %rdi, %rax
; CHECK-NEXT:    movq %rsi, %rdi
; CHECK-NEXT:    #APP
; CHECK-NEXT:    syscall
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:    retq
  %r = call i64 asm sideeffect "syscall", "={rax},{rax},{rdi},~{rcx},~{r11},~{memory}"(i64 %number, i64 %a)
  ret i64 %r
}
