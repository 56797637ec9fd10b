; A statepoint that may unwind defines the moved pointer for the normal way and
; for the landing pad. If no register is left, the store is on both ways.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-disable=redundant-reloads -max-registers-for-gc-values=4 -fixup-allow-gcptr-in-csr \
; RUN:   -use-registers-for-gc-values-in-landing-pad %s -o - | FileCheck %s

declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token, i32, i32)
declare void @f()
declare i32 @personality()

define ptr addrspace(1) @state(ptr addrspace(1) %p) gc "statepoint-example" personality ptr @personality {
; CHECK-LABEL: state:
; CHECK:         movq %rdi, [[P:[0-9]*\(%rsp\)|%rbx|%rbp|%r1[2-5]]]
; CHECK:         callq f@PLT
; CHECK:       # %normal
; CHECK:         movq [[P]], [[NORMAL:[0-9-]*\(%rsp\)|%r[a-z0-9]+]]
; CHECK:       # %pad
; CHECK:         # EH_LABEL
; CHECK-NEXT:    movq {{%rbx|%rbp|%r1[2-5]}}, {{[0-9]*}}(%rsp) # 8-byte Spill
; CHECK-NEXT:    #APP
  %t = invoke token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @f, i32 0, i32 0, i32 0, i32 0) ["gc-live"(ptr addrspace(1) %p)] to label %normal unwind label %pad
normal:
  %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
  ret ptr addrspace(1) %r
pad:
  %l = landingpad token cleanup
  %m = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %l, i32 0, i32 0)
  call void asm sideeffect "", "~{rax},~{rbx},~{rcx},~{rdx},~{rsi},~{rdi},~{rbp},~{r8},~{r9},~{r10},~{r11},~{r12},~{r13},~{r14},~{r15}"()
  ret ptr addrspace(1) %m
}
