; 128-bit integers: pairs of registers, and cmpxchg16b, which takes four fixed
; ones, rbx among them.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

; The carry must not be lost between the two additions.
define i128 @add(i128 %a, i128 %b) nounwind {
; CHECK-LABEL: add:
; CHECK:         addq
; CHECK-NOT:     {{xor|add|sub|test|cmp}}
; CHECK:         adcq
; CHECK-NOT:     %rdx, %rdx
; CHECK:         retq
  %s = add i128 %a, %b
  ret i128 %s
}

define void @add_in_memory(ptr %p, i128 %b) nounwind {
; CHECK-LABEL: add_in_memory:
; CHECK:       # %bb.0:
; CHECK-NEXT:    addq %rsi, (%rdi)
; CHECK-NEXT:    adcq %rdx, 8(%rdi)
; CHECK-NEXT:    retq
  %a = load i128, ptr %p
  %s = add i128 %a, %b
  store i128 %s, ptr %p
  ret void
}

define i1 @compare_exchange(ptr %p, i128 %old, i128 %new) nounwind #0 {
; CHECK-LABEL: compare_exchange:
; CHECK:         pushq %rbx
; CHECK-DAG:     movq %rcx, %rbx
; CHECK-DAG:     movq %rsi, %rax
; CHECK-DAG:     movq %r8, %rcx
; CHECK:         lock{{.*}}cmpxchg16b (%rdi)
; CHECK-NEXT:    sete %al
; CHECK-NEXT:    popq %rbx
; CHECK-NEXT:    retq
  %r = cmpxchg ptr %p, i128 %old, i128 %new seq_cst seq_cst
  %ok = extractvalue { i128, i1 } %r, 1
  ret i1 %ok
}

; rbx is the base pointer as well: it is put away around the instruction, and
; the address is not taken relative to it in between.
declare void @use(ptr, ptr)
define i1 @with_base_pointer(ptr %p, i128 %old, i128 %new, i64 %n) nounwind #0 {
; CHECK-LABEL: with_base_pointer:
; CHECK:         andq $-64, %rsp
; CHECK:         movq %rsp, %rbx
; CHECK:         callq use@PLT
; CHECK:         movq %rbx, [[SAVE:%r[a-z0-9]+]]
; CHECK:         movq {{%r[a-z0-9]+}}, %rbx
; CHECK-NEXT:    lock{{.*}}cmpxchg16b ({{%r[a-ac-z0-9][a-z0-9]*}})
; CHECK-NEXT:    movq [[SAVE]], %rbx
; CHECK-NEXT:    sete %al
; CHECK:         leaq -{{[0-9]+}}(%rbp), %rsp
  %x = alloca i64, align 64
  %b = alloca i8, i64 %n
  call void @use(ptr %x, ptr %b)
  %r = cmpxchg ptr %p, i128 %old, i128 %new seq_cst seq_cst
  %ok = extractvalue { i128, i1 } %r, 1
  ret i1 %ok
}

attributes #0 = { "target-features"="+cx16" }
