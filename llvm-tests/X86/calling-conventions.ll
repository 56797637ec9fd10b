; Each call clobbers what its convention says, register by register.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare void @plain()
declare preserve_mostcc void @most_callee()
declare preserve_allcc void @all_callee()
declare win64cc void @windows()
declare ghccc void @haskell(i64, i64, i64, i64)
declare x86_regcallcc i64 @many_arguments(i64, i64, i64, i64, i64, i64, i64)

; The values stay in their argument registers across the call.
define void @calls_preserve_most(ptr %p, i64 %a, i64 %b) nounwind {
; CHECK-LABEL: calls_preserve_most:
; CHECK:       # %bb.0:
; CHECK-NEXT:    pushq %rax
; CHECK-NEXT:    callq most_callee@PLT
; CHECK-NEXT:    subq %rdx, %rsi
; CHECK-NEXT:    movq %rsi, (%rdi)
; CHECK-NEXT:    popq %rax
; CHECK-NEXT:    retq
  call preserve_mostcc void @most_callee()
  %s = sub i64 %a, %b
  store i64 %s, ptr %p
  ret void
}

define double @calls_preserve_all(double %a) nounwind {
; CHECK-LABEL: calls_preserve_all:
; CHECK:       # %bb.0:
; CHECK-NEXT:    pushq %rax
; CHECK-NEXT:    callq all_callee@PLT
; CHECK-NEXT:    addsd %xmm0, %xmm0
; CHECK-NEXT:    popq %rax
; CHECK-NEXT:    retq
  call preserve_allcc void @all_callee()
  %s = fadd double %a, %a
  ret double %s
}

; It saves what the C function that it calls may clobber.
define preserve_mostcc void @is_preserve_most(ptr %p) nounwind {
; CHECK-LABEL: is_preserve_most:
; CHECK-DAG:     pushq %r10
; CHECK-DAG:     pushq %r9
; CHECK-DAG:     pushq %r8
; CHECK-DAG:     pushq %rdi
; CHECK-DAG:     pushq %rsi
; CHECK-DAG:     pushq %rdx
; CHECK-DAG:     pushq %rcx
; CHECK-DAG:     movq %rdi, [[P:%rbx|%rbp|%r1[2-5]]]
; CHECK:         callq plain@PLT
; CHECK-NEXT:    movq $0, ([[P]])
  call void @plain()
  store i64 0, ptr %p
  ret void
}

; On Windows xmm6 survives a call,
define double @calls_windows(double %a) nounwind {
; CHECK-LABEL: calls_windows:
; CHECK-NOT:     Spill
; CHECK:         mov{{aps|apd}} %xmm0, [[A:%xmm([6-9]|1[0-5])]]
; CHECK-NEXT:    callq windows@PLT
; CHECK-NEXT:    addsd [[A]], [[A]]
; CHECK-NEXT:    mov{{aps|apd}} [[A]], %xmm0
  call win64cc void @windows()
  %s = fadd double %a, %a
  ret double %s
}

; and the upper half of ymm6 does not.
define <8 x float> @calls_windows_wide(<8 x float> %a) nounwind "target-features"="+avx" {
; CHECK-LABEL: calls_windows_wide:
; CHECK:         vmovups %ymm0, [[SLOT:[0-9]*\(%rsp\)]] # 32-byte {{(Folded )?}}Spill
; CHECK:         callq windows@PLT
; CHECK-NEXT:    vmovups [[SLOT]], %ymm0 # 32-byte {{(Folded )?}}Reload
; CHECK-NOT:     Spill
; CHECK:         retq
  call win64cc void @windows()
  ret <8 x float> %a
}

; No register is callee-saved, and the arguments stay where they are.
define ghccc void @calls_ghc(i64 %base, i64 %sp, i64 %hp, i64 %r1) nounwind {
; CHECK-LABEL: calls_ghc:
; CHECK:       # %bb.0:
; CHECK-NEXT:    addq %rbx, %r12
; CHECK-NEXT:    jmp haskell@PLT # TAILCALL
  %x = add i64 %hp, %r1
  tail call ghccc void @haskell(i64 %base, i64 %sp, i64 %x, i64 %r1)
  ret void
}

; Arguments in rax, rcx, rdx, rdi, rsi, r8, r9.
define x86_regcallcc i64 @calls_regcall(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g) nounwind {
; CHECK-LABEL: {{.*}}calls_regcall:
; CHECK:       # %bb.0:
; CHECK-NEXT:    pushq %rax
; CHECK-NEXT:    incq %r9
; CHECK-NEXT:    callq *many_arguments@GOTPCREL(%rip)
; CHECK-NEXT:    popq %rcx
; CHECK-NEXT:    retq
  %x = add i64 %g, 1
  %r = call x86_regcallcc i64 @many_arguments(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %x)
  ret i64 %r
}
