; Accumulators stay in their registers from the fence to the wait for their group; with
; too few registers the others are spilled, or they themselves where nothing is in flight.
; RUN: %gpu -mcpu=sm_90a -mattr=+ptx88 -nvptx-regalloc-pressure-limit=24 %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %gpu -mcpu=sm_90a -mattr=+ptx88 -nvptx-regalloc-pressure-limit=24 -warpalloc-select=fatpoint %s -o %t.fatpoint.ptx
; RUN: %FileCheck %s <%t.fatpoint.ptx
; RUN: %if ptxas %{ %ptxas -v -arch=sm_90a -o %t.cubin %t.ptx 2>&1 | %FileCheck %s --check-prefix=PTXAS --implicit-check-not=serialized %}
; RUN: %not %gpu -mcpu=sm_90a -mattr=+ptx88 -nvptx-regalloc-pressure-limit=6 %s -o %t.none.ptx 2>&1 | %FileCheck %s --check-prefix=FEW

; PTXAS: Used {{[0-9]+}} registers
; FEW: error: warpalloc: in function 'multiply': the R budget of 6 registers is too small

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; CHECK-LABEL: .visible .entry multiply(
; CHECK:         st.local
; CHECK:         wgmma.fence.sync.aligned;
; CHECK-NOT:     .local
; CHECK:         wgmma.mma_async
; CHECK-NOT:     .local
; CHECK:         wgmma.mma_async
; CHECK:         wgmma.commit_group.sync.aligned;
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK:         ld.local
define ptx_kernel void @multiply(ptr addrspace(1) %p, i64 %a, i64 %b) {
  %x0 = load volatile i32, ptr addrspace(1) %p
  %x1 = load volatile i32, ptr addrspace(1) %p
  %x2 = load volatile i32, ptr addrspace(1) %p
  %x3 = load volatile i32, ptr addrspace(1) %p
  %x4 = load volatile i32, ptr addrspace(1) %p
  %x5 = load volatile i32, ptr addrspace(1) %p
  %x6 = load volatile i32, ptr addrspace(1) %p
  %x7 = load volatile i32, ptr addrspace(1) %p
  %x8 = load volatile i32, ptr addrspace(1) %p
  %x9 = load volatile i32, ptr addrspace(1) %p
  %x10 = load volatile i32, ptr addrspace(1) %p
  %x11 = load volatile i32, ptr addrspace(1) %p
  %x12 = load volatile i32, ptr addrspace(1) %p
  %x13 = load volatile i32, ptr addrspace(1) %p
  %x14 = load volatile i32, ptr addrspace(1) %p
  %x15 = load volatile i32, ptr addrspace(1) %p
  %x16 = load volatile i32, ptr addrspace(1) %p
  %x17 = load volatile i32, ptr addrspace(1) %p
  %x18 = load volatile i32, ptr addrspace(1) %p
  %x19 = load volatile i32, ptr addrspace(1) %p
  %c0 = load volatile float, ptr addrspace(1) %p
  %c1 = load volatile float, ptr addrspace(1) %p
  %c2 = load volatile float, ptr addrspace(1) %p
  %c3 = load volatile float, ptr addrspace(1) %p
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d0 = call { float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,$1,$2,$3}, $8, $9, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,0,1,2,3,l,l"(float %c0, float %c1, float %c2, float %c3, i64 %a, i64 %b)
  %d0.0 = extractvalue { float, float, float, float } %d0, 0
  %d0.1 = extractvalue { float, float, float, float } %d0, 1
  %d0.2 = extractvalue { float, float, float, float } %d0, 2
  %d0.3 = extractvalue { float, float, float, float } %d0, 3
  %d1 = call { float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,$1,$2,$3}, $8, $9, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,0,1,2,3,l,l"(float %d0.0, float %d0.1, float %d0.2, float %d0.3, i64 %a, i64 %b)
  %d1.0 = extractvalue { float, float, float, float } %d1, 0
  %d1.1 = extractvalue { float, float, float, float } %d1, 1
  %d1.2 = extractvalue { float, float, float, float } %d1, 2
  %d1.3 = extractvalue { float, float, float, float } %d1, 3
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile float %d1.0, ptr addrspace(1) %p
  store volatile float %d1.1, ptr addrspace(1) %p
  store volatile float %d1.2, ptr addrspace(1) %p
  store volatile float %d1.3, ptr addrspace(1) %p
  store volatile i32 %x0, ptr addrspace(1) %p
  store volatile i32 %x1, ptr addrspace(1) %p
  store volatile i32 %x2, ptr addrspace(1) %p
  store volatile i32 %x3, ptr addrspace(1) %p
  store volatile i32 %x4, ptr addrspace(1) %p
  store volatile i32 %x5, ptr addrspace(1) %p
  store volatile i32 %x6, ptr addrspace(1) %p
  store volatile i32 %x7, ptr addrspace(1) %p
  store volatile i32 %x8, ptr addrspace(1) %p
  store volatile i32 %x9, ptr addrspace(1) %p
  store volatile i32 %x10, ptr addrspace(1) %p
  store volatile i32 %x11, ptr addrspace(1) %p
  store volatile i32 %x12, ptr addrspace(1) %p
  store volatile i32 %x13, ptr addrspace(1) %p
  store volatile i32 %x14, ptr addrspace(1) %p
  store volatile i32 %x15, ptr addrspace(1) %p
  store volatile i32 %x16, ptr addrspace(1) %p
  store volatile i32 %x17, ptr addrspace(1) %p
  store volatile i32 %x18, ptr addrspace(1) %p
  store volatile i32 %x19, ptr addrspace(1) %p
  ret void
}
