; What a kernel names of shared memory bounds its resident blocks, so registers need not
; leave room for more: 100 KiB leave two blocks of 256 threads on sm_90.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-occupancy-target=100 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=TARGET

; CHECK:       function=large {{.*}}budget.R=128 {{.*}}warps=16 occupancy=25
; CHECK-NEXT:  function=small {{.*}}budget.R=32 {{.*}}warps=64 occupancy=100
; TARGET:      function=large {{.*}}budget.R=128
; TARGET-NEXT: function=small {{.*}}budget.R=32

target triple = "nvptx64-nvidia-cuda"

@first = internal addrspace(3) global [51199 x i8] undef
@second = internal addrspace(3) global [12800 x i32] undef, align 16

define ptx_kernel void @large(i32 %i) "nvvm.maxntid"="256" {
  store volatile i8 1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @first, i32 9)
  %p = getelementptr i32, ptr addrspace(3) @second, i32 %i
  store volatile i32 1, ptr addrspace(3) %p
  ret void
}

define ptx_kernel void @small(ptr addrspace(1) %p) "nvvm.maxntid"="256" {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}
