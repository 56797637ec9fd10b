; -spill-limit=N: N spilled values are allowed, one more is an error without output.
; Four registers hold the pointer and two of three values.
; RUN: rm -f %t.ptx
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 -spill-limit=0 %s -o %t.ptx 2>&1 | %FileCheck %s
; RUN: %not test -f %t.ptx
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 -spill-limit=1 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=ONE
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=5 -spill-limit=0 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=NONE

; CHECK: error: warpalloc: in function 'k': the limit of 0 spilled values is exceeded
; ONE:   function=k {{.*}}spilled=1 stores=1 reloads=1
; NONE:  function=k {{.*}}spilled=0 stores=0 reloads=0

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) {
  %cheap = load volatile i32, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %cheap, ptr addrspace(1) %p
  ret void
}
