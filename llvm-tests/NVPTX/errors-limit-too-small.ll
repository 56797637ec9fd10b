; A limit below what one instruction needs is an error that names the function, the
; budget and the need: not a crash, not PTX above the limit, no file.
; Limit 1 has no pair for the address; limit 2 has no register for the value that is
; stored through it; limit 3 is enough.
; RUN: rm -f %t.ptx
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=1 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=ONE
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=2 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=TWO
; RUN: %not test -f %t.ptx
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=3 %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

; ONE: error: warpalloc: in function 'store': the R budget of 1 register{{s?}} is too small: instruction 0 alone needs 2
; TWO: error: warpalloc: in function 'store': the R budget of 2 registers is too small: instruction 2 alone needs 3

target triple = "nvptx64-nvidia-cuda"

; CHECK: .reg .b32 %r<2>;
; CHECK: .reg .b64 %rd<2>;
define ptx_kernel void @store(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}
