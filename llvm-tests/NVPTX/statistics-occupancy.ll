; On NVPTX the statistics line also says what ptxas is expected to report (regs), and
; the warps and the occupancy of a multiprocessor that follow.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s
; CHECK: warpalloc: function=k {{.*}}regs={{[0-9]+}} warps={{[0-9]+}} occupancy={{[0-9.]+}}

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}
