; One function that does not fit spoils the whole output: the error names it alone.
; RUN: rm -f %t.ptx
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=2 %s -o %t.ptx 2>%t.err
; RUN: %FileCheck %s --implicit-check-not=narrow <%t.err
; RUN: %not test -f %t.ptx

; CHECK: error: warpalloc: in function 'wide':
; CHECK-NOT: error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @narrow(ptr addrspace(1) %p) {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @wide(ptr addrspace(1) %p) {
  %x = load volatile i64, ptr addrspace(1) %p
  store volatile i64 %x, ptr addrspace(1) %p
  ret void
}
