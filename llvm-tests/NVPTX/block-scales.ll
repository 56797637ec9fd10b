; The addresses of scale factors of FP4 and FP8 in tensor memory are a tuple: they belong
; into two consecutive registers. Multiplications that agree on them need no move; two that
; name them the other way round cannot both have them in place, and that is counted.
; RUN: %gpu -mcpu=sm_100a -mattr=+ptx88 -warpalloc-enable=tuples -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.stats
; RUN: %FileCheck %s --check-prefix=PTX <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_100a -o %t.cubin %t.ptx %}

; CHECK:      function=agree {{.*}} tuple_moves=0
; CHECK-NEXT: function=swapped {{.*}} tuple_moves=2
; CHECK-NEXT: function=assembly {{.*}} tuple_moves=2

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.tcgen05.mma.shared.mxf8f6f4.block_scale(ptr addrspace(6), i64, i64, i32, i1, ptr addrspace(6), ptr addrspace(6), i32, i32)

; PTX-LABEL: .visible .entry agree(
; PTX-COUNT-2: tcgen05.mma{{.*}}.block_scale{{.*}} [%r{{[0-9]+}}], %rd{{[0-9]+}}, %rd{{[0-9]+}}, %r{{[0-9]+}}, [%r{{[0-9]+}}], [%r{{[0-9]+}}], %p
define ptx_kernel void @agree(ptr addrspace(6) %d, i64 %a, i64 %b, i32 %i, ptr addrspace(6) %s, i32 %other, ptr addrspace(6) %t, ptr addrspace(1) %out) {
  call void @llvm.nvvm.tcgen05.mma.shared.mxf8f6f4.block_scale(ptr addrspace(6) %d, i64 %a, i64 %b, i32 %i, i1 1, ptr addrspace(6) %s, ptr addrspace(6) %t, i32 1, i32 0)
  call void @llvm.nvvm.tcgen05.mma.shared.mxf8f6f4.block_scale(ptr addrspace(6) %d, i64 %b, i64 %a, i32 %i, i1 1, ptr addrspace(6) %s, ptr addrspace(6) %t, i32 1, i32 0)
  store i32 %other, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @swapped(ptr addrspace(6) %d, i64 %a, i64 %b, i32 %i, ptr addrspace(6) %s, i32 %other, ptr addrspace(6) %t, ptr addrspace(1) %out) {
  call void @llvm.nvvm.tcgen05.mma.shared.mxf8f6f4.block_scale(ptr addrspace(6) %d, i64 %a, i64 %b, i32 %i, i1 1, ptr addrspace(6) %s, ptr addrspace(6) %t, i32 1, i32 0)
  call void @llvm.nvvm.tcgen05.mma.shared.mxf8f6f4.block_scale(ptr addrspace(6) %d, i64 %b, i64 %a, i32 %i, i1 1, ptr addrspace(6) %t, ptr addrspace(6) %s, i32 1, i32 0)
  store i32 %other, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @assembly(i32 %d, i64 %a, i64 %b, i32 %i, i32 %s, i32 %other, i32 %t, ptr addrspace(1) %out) {
  call void asm sideeffect "{ .reg .pred p; setp.ne.b32 p, $3, 0; tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X [$0], $1, $2, $3, [$4], [$5], p; }", "r,l,l,r,r,r"(i32 %d, i64 %a, i64 %b, i32 %i, i32 %s, i32 %t)
  call void asm sideeffect "{ .reg .pred p; setp.ne.b32 p, $3, 0; tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X [$0], $1, $2, $3, [$4], [$5], p; }", "r,l,l,r,r,r"(i32 %d, i64 %a, i64 %b, i32 %i, i32 %t, i32 %s)
  store i32 %other, ptr addrspace(1) %out
  ret void
}
