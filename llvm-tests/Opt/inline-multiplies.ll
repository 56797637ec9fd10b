; What is inlined into a function grows what that is inlined into, once for each copy: here each
; function calls the next one eight times, each of a few instructions, and altogether they would
; be millions.
; RUN: %opt -passes=warpalloc -verify-each -pass-remarks-missed=warpalloc-inline -S %s -o %t.ll 2>&1 | \
; RUN:   %FileCheck %s
; RUN: %FileCheck %s --check-prefix=STAYS < %t.ll

; CHECK: remark: {{.*}}gets the address of a local variable, which stays in memory: not inlined, as the caller would become too large
; STAYS: call void @f

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr addrspace(1) %out) {
  %a = alloca [4 x i32]
  call void @f0(ptr %a)
  %v = load i32, ptr %a
  store i32 %v, ptr addrspace(1) %out
  ret void
}

define internal void @f0(ptr %a) {
  call void @f1(ptr %a)
  call void @f1(ptr %a)
  call void @f1(ptr %a)
  call void @f1(ptr %a)
  call void @f1(ptr %a)
  call void @f1(ptr %a)
  call void @f1(ptr %a)
  call void @f1(ptr %a)
  ret void
}

define internal void @f1(ptr %a) {
  call void @f2(ptr %a)
  call void @f2(ptr %a)
  call void @f2(ptr %a)
  call void @f2(ptr %a)
  call void @f2(ptr %a)
  call void @f2(ptr %a)
  call void @f2(ptr %a)
  call void @f2(ptr %a)
  ret void
}

define internal void @f2(ptr %a) {
  call void @f3(ptr %a)
  call void @f3(ptr %a)
  call void @f3(ptr %a)
  call void @f3(ptr %a)
  call void @f3(ptr %a)
  call void @f3(ptr %a)
  call void @f3(ptr %a)
  call void @f3(ptr %a)
  ret void
}

define internal void @f3(ptr %a) {
  call void @f4(ptr %a)
  call void @f4(ptr %a)
  call void @f4(ptr %a)
  call void @f4(ptr %a)
  call void @f4(ptr %a)
  call void @f4(ptr %a)
  call void @f4(ptr %a)
  call void @f4(ptr %a)
  ret void
}

define internal void @f4(ptr %a) {
  call void @f5(ptr %a)
  call void @f5(ptr %a)
  call void @f5(ptr %a)
  call void @f5(ptr %a)
  call void @f5(ptr %a)
  call void @f5(ptr %a)
  call void @f5(ptr %a)
  call void @f5(ptr %a)
  ret void
}

define internal void @f5(ptr %a) {
  call void @f6(ptr %a)
  call void @f6(ptr %a)
  call void @f6(ptr %a)
  call void @f6(ptr %a)
  call void @f6(ptr %a)
  call void @f6(ptr %a)
  call void @f6(ptr %a)
  call void @f6(ptr %a)
  ret void
}

define internal void @f6(ptr %a) {
  call void @f7(ptr %a)
  call void @f7(ptr %a)
  call void @f7(ptr %a)
  call void @f7(ptr %a)
  call void @f7(ptr %a)
  call void @f7(ptr %a)
  call void @f7(ptr %a)
  call void @f7(ptr %a)
  ret void
}

define internal void @f7(ptr %a) {
  %v = load volatile i32, ptr %a
  %w = add i32 %v, 1
  store volatile i32 %w, ptr %a
  ret void
}
