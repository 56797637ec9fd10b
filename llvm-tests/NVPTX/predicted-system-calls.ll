; A kernel that calls the system, to print or to end with an error, takes what the calling
; convention asks for, as ptxas reports. (Other functions: see
; predicted-callees.ll.)
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s
; RUN: %if ptxas %{ %ptxas -c -v -arch=sm_90 -o %t.cubin %t.ptx 2>&1 | %FileCheck %s --check-prefix=PTXAS %}

target triple = "nvptx64-nvidia-cuda"

; PTXAS-COUNT-3: Used 24 registers

declare i32 @vprintf(ptr, ptr)
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
declare void @error()

; CHECK: function=prints {{.*}}regs=24
define ptx_kernel void @prints(ptr addrspace(1) %p, i32 %n) {
  %printed = call i32 @vprintf(ptr null, ptr null)
  store i32 %n, ptr addrspace(1) %p
  ret void
}

; CHECK: function=asserts {{.*}}regs=24
define ptx_kernel void @asserts(ptr addrspace(1) %p, i32 %n) {
  %wrong = icmp slt i32 %n, 0
  br i1 %wrong, label %failed, label %right

failed:
  call void @__assertfail(ptr null, ptr null, i32 1, ptr null, i64 1)
  unreachable

right:
  store i32 %n, ptr addrspace(1) %p
  ret void
}

; What is called here does not come back.
; CHECK: function=fails {{.*}}regs=24
define ptx_kernel void @fails(ptr addrspace(1) %p, i32 %n) {
  %wrong = icmp slt i32 %n, 0
  br i1 %wrong, label %failed, label %right

failed:
  call void @error()
  unreachable

right:
  store i32 %n, ptr addrspace(1) %p
  ret void
}
