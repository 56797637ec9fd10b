; stackmap, patchpoint and statepoint record where the values are.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s
; Values of the garbage collector in registers, across the call.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -max-registers-for-gc-values=4 \
; RUN:   -fixup-allow-gcptr-in-csr %s -o - | FileCheck %s --check-prefix=REGISTER

declare void @llvm.experimental.stackmap(i64, i32, ...)
declare i64 @llvm.experimental.patchpoint.i64(i64, i32, ptr, i32, ...)
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare void @f()

define void @map(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: map:
; CHECK:         movq %rsp, %rbp
; CHECK-NEXT:  [[MAP:.Ltmp[0-9]+]]:
; CHECK-NEXT:    popq %rbp
; CHECK-NEXT:    retq
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 7, i32 5, i64 %a, i64 %b)
  ret void
}

; b lives across the call.
define i64 @patch(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: patch:
; CHECK:         movq %rsi, %rbx
; CHECK-NEXT:  [[PATCH:.Ltmp[0-9]+]]:
; CHECK-NEXT:    movabsq $f, %r11
; CHECK-NEXT:    callq *%r11
; CHECK:         addq %rbx, %rax
  %r = call i64 (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.i64(i64 8, i32 16, ptr @f, i32 1, i64 %a, i64 %b)
  %s = add i64 %r, %b
  ret i64 %s
}

define ptr addrspace(1) @state(ptr addrspace(1) %p) nounwind gc "statepoint-example" {
; CHECK-LABEL: state:
; CHECK:         movq %rdi, (%rsp)
; CHECK-NEXT:    callq f@PLT
; CHECK-NEXT:  [[STATE:.Ltmp[0-9]+]]:
; CHECK-NEXT:    movq (%rsp), %rax
; REGISTER-LABEL: state:
; REGISTER:         movq %rdi, [[P:%rbx|%rbp|%r1[2-5]]]
; REGISTER-NEXT:    callq f@PLT
; REGISTER-NEXT:  .Ltmp{{[0-9]+}}:
; REGISTER-NEXT:    movq [[P]], %rax
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @f, i32 0, i32 0, i32 0, i32 0) ["gc-live"(ptr addrspace(1) %p)]
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %r
}

; The map says: two values, in rdi (5) and rsi (4).
; CHECK-LABEL: __LLVM_StackMaps:
; CHECK:         .long [[MAP]]-map
; CHECK-NEXT:    .short 0
; CHECK-NEXT:    .short 2
; CHECK-NEXT:    .byte 1
; CHECK-NEXT:    .byte 0
; CHECK-NEXT:    .short 8
; CHECK-NEXT:    .short 5
; CHECK:         .byte 1
; CHECK-NEXT:    .byte 0
; CHECK-NEXT:    .short 8
; CHECK-NEXT:    .short 4
; The patchpoint's is in rbx (3).
; CHECK:         .long [[PATCH]]-patch
; CHECK-NEXT:    .short 0
; CHECK-NEXT:    .short 1
; CHECK-NEXT:    .byte 1
; CHECK-NEXT:    .byte 0
; CHECK-NEXT:    .short 8
; CHECK-NEXT:    .short 3
