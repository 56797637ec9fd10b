; A warp's multiplication of FP4 or FP8 has its scale factors in a register each, and what
; selects a byte and threads of them in braces, which is no run of registers: the two
; multiplications name the selectors the other way round, which counts nothing.
; RUN: %gpu -mcpu=sm_120a -mattr=+ptx88 -warpalloc-enable=tuples -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.stats
; RUN: %FileCheck %s --check-prefix=PTX <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_120a -o %t.cubin %t.ptx %}

; CHECK: function=selected {{.*}} tuple_moves=0
; PTX: mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale
; PTX: {%rs[[A:[0-9]+]], %rs[[B:[0-9]+]]}
; PTX: mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale
; PTX: {%rs[[B]], %rs[[A]]}

target triple = "nvptx64-nvidia-cuda"

declare { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.f32.e2m1.e4m3.f32.ue8m0(i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i16, i16, i32, i16, i16)

define ptx_kernel void @selected(ptr addrspace(1) %p, i32 %s, i32 %t, i16 %byte, i16 %thread) {
  %1 = call { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.f32.e2m1.e4m3.f32.ue8m0(i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, float 1.0, float 2.0, float 3.0, float 4.0, i32 %s, i16 %byte, i16 %thread, i32 %t, i16 %byte, i16 %thread)
  %a = extractvalue { float, float, float, float } %1, 0
  %b = extractvalue { float, float, float, float } %1, 1
  %c = extractvalue { float, float, float, float } %1, 2
  %d = extractvalue { float, float, float, float } %1, 3
  %2 = call { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.f32.e2m1.e4m3.f32.ue8m0(i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, float %a, float %b, float %c, float %d, i32 %s, i16 %thread, i16 %byte, i32 %t, i16 %thread, i16 %byte)
  %sum = extractvalue { float, float, float, float } %2, 0
  store float %sum, ptr addrspace(1) %p
  ret void
}
