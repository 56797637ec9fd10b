; Of registers that are equally good, one is taken whose bank differs from those of
; the values read beside it: even and odd registers are the two banks. Knob 627
; switches that off.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=AWARE
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats -warpalloc-select=fatpoint %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=AWARE
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats -warpalloc-select=fatpoint -warpalloc-knob=627=0 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=UNAWARE

; AWARE:   function=chain {{.*}} bank_conflicts=0
; UNAWARE: function=chain {{.*}} bank_conflicts={{[1-9]}}

target triple = "nvptx64-nvidia-cuda"

declare float @llvm.fma.f32(float, float, float)

define ptx_kernel void @chain(ptr addrspace(1) %p) {
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %p4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %a = load volatile float, ptr addrspace(1) %p
  %b = load volatile float, ptr addrspace(1) %p1
  %c = load volatile float, ptr addrspace(1) %p2
  %d = load volatile float, ptr addrspace(1) %p3
  %e = load volatile float, ptr addrspace(1) %p4
  %x = call float @llvm.fma.f32(float %a, float %c, float %e)
  %y = call float @llvm.fma.f32(float %b, float %d, float %x)
  %z = call float @llvm.fma.f32(float %a, float %d, float %y)
  %w = call float @llvm.fma.f32(float %b, float %e, float %z)
  store float %w, ptr addrspace(1) %p
  ret void
}
