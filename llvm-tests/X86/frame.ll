; Frames: red zone, large ones, realigned ones, dynamic ones. Frame and base
; pointer are taken, values across calls go elsewhere.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare void @use(ptr)

define i64 @large(i64 %a) nounwind {
; CHECK-LABEL: large:
; CHECK:         subq $4000000, %rsp
; CHECK-NEXT:    movq %rdi, [[A:%rbx|%rbp|%r1[2-5]]]
; CHECK-NEXT:    movq %rsp, %rdi
; CHECK-NEXT:    callq use@PLT
; CHECK-NEXT:    movq [[A]], %rax
; CHECK-NEXT:    addq $4000000, %rsp
  %b = alloca [4000000 x i8]
  call void @use(ptr %b)
  ret i64 %a
}

; Slots are addressed beyond the array, with a 32-bit displacement.
define double @large_with_slot(double %a) nounwind {
; CHECK-LABEL: large_with_slot:
; CHECK:         subq $4000008, %rsp
; CHECK-NEXT:    movsd %xmm0, [[SLOT:[0-9]*\(%rsp\)]] # 8-byte {{(Folded )?}}Spill
; CHECK-NEXT:    {{leaq [0-9]+\(%rsp\)|movq %rsp}}, %rdi
; CHECK-NEXT:    callq use@PLT
; CHECK-NEXT:    movsd [[SLOT]], %xmm0 # 8-byte {{(Folded )?}}Reload
  %b = alloca [4000000 x i8]
  call void @use(ptr %b)
  ret double %a
}

define i64 @realigned(i64 %a) nounwind {
; CHECK-LABEL: realigned:
; CHECK:         pushq %rbp
; CHECK-NEXT:    movq %rsp, %rbp
; CHECK-NEXT:    pushq [[A:%rbx|%r1[2-5]]]
; CHECK-NEXT:    andq $-64, %rsp
; CHECK-NEXT:    subq $64, %rsp
; CHECK-NEXT:    movq %rdi, [[A]]
; CHECK-NEXT:    movq %rsp, %rdi
; CHECK-NEXT:    callq use@PLT
; CHECK-NEXT:    addq (%rsp), [[A]]
; CHECK-NEXT:    movq [[A]], %rax
; CHECK-NEXT:    leaq -8(%rbp), %rsp
; CHECK-NEXT:    popq [[A]]
; CHECK-NEXT:    popq %rbp
; CHECK-NEXT:    retq
  %b = alloca i64, align 64
  call void @use(ptr %b)
  %s = load i64, ptr %b
  %r = add i64 %s, %a
  ret i64 %r
}

; rsp moves: slots are addressed from rbp.
define double @dynamic(i64 %n, double %a) nounwind {
; CHECK-LABEL: dynamic:
; CHECK:         movq %rsp, %rbp
; CHECK:         movsd %xmm0, [[SLOT:-[0-9]+\(%rbp\)]] # 8-byte {{(Folded )?}}Spill
; CHECK:         callq use@PLT
; CHECK:         movsd [[SLOT]], %xmm0 # 8-byte {{(Folded )?}}Reload
; CHECK:         movq %rbp, %rsp
; CHECK-NEXT:    popq %rbp
; CHECK-NEXT:    retq
  %b = alloca i8, i64 %n
  call void @use(ptr %b)
  ret double %a
}

; Realigned and dynamic: rbx is the base pointer, no value may be there.
define i64 @base_pointer(i64 %n, i64 %a) nounwind {
; CHECK-LABEL: base_pointer:
; CHECK:         movq %rsp, %rbp
; CHECK:         andq $-64, %rsp
; CHECK:         movq %rsp, %rbx
; CHECK-NOT:     , %rbx
; CHECK:         movq %rsi, [[A:%r1[2-5]]]
; CHECK-NOT:     , %rbx
; CHECK:         callq use@PLT
; CHECK-NOT:     , %rbx
; CHECK:         callq use@PLT
; CHECK-NEXT:    addq (%rbx), [[A]]
; CHECK-NEXT:    movq [[A]], %rax
  %x = alloca i64, align 64
  %b = alloca i8, i64 %n
  call void @use(ptr %b)
  call void @use(ptr %x)
  %s = load i64, ptr %x
  %r = add i64 %s, %a
  ret i64 %r
}

; A slot with the alignment of its class realigns the stack; here the move that
; needs none is taken.
define <8 x float> @vector_slot(<8 x float> %a) nounwind "target-features"="+avx" {
; CHECK-LABEL: vector_slot:
; CHECK:         vmov{{[au]}}ps %ymm0, [[SLOT:[0-9]*\(%rsp\)]] # 32-byte {{(Folded )?}}Spill
; CHECK:         callq use@PLT
; CHECK-NEXT:    vmov{{[au]}}ps [[SLOT]], %ymm0 # 32-byte {{(Folded )?}}Reload
  call void @use(ptr null)
  ret <8 x float> %a
}
