; Shared memory, a barrier, a shuffle and atomics keep their order and operands;
; spill code is around them, never conditional, and nothing is repeated.
; RUN: %gpu -warpalloc-disable=reorder -mcpu=sm_90 %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=5 -warpalloc-disable=remat,uniform,reorder,redundant-reloads %s -o %t.five.ptx
; RUN: %FileCheck %s --check-prefixes=CHECK,FIVE <%t.five.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.five.ptx %}

target triple = "nvptx64-nvidia-cuda"

@buffer = internal addrspace(3) global [32 x i32] undef, align 16

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)

; CHECK-LABEL: .visible .entry reduce(
; CHECK:         mov.u32 %r{{[0-9]+}}, %tid.x;
; FIVE:          st.local
; CHECK-NOT:     tid.x
; CHECK:         st.shared.b32 [%rd{{[0-9]+}}], %r{{[0-9]+}};
; CHECK-NEXT:    bar.sync 0;
; CHECK-NOT:     bar.sync
; CHECK:         ld.shared.b32 [[W:%r[0-9]+]], [%rd{{[0-9]+}}];
; CHECK-NEXT:    shfl.sync.bfly.b32 [[S:%r[0-9]+]], [[W]], 1, 31, -1;
; CHECK-NOT:     {{bar|shfl}}
; CHECK:         add.s32 [[SUM:%r[0-9]+]], [[S]], %r{{[0-9]+}};
; CHECK:         atom.global.add.u32 [[OLD:%r[0-9]+]], [%rd{{[0-9]+}}], [[SUM]];
; CHECK-NOT:     atom
; CHECK:         atom.relaxed.sys.global.cas.b32 [[NEW:%r[0-9]+]], [%rd{{[0-9]+}}], [[OLD]], [[SUM]];
; CHECK:         st.global.b32 [%rd{{[0-9]+}}], [[NEW]];
; CHECK-NEXT:    ret;
define ptx_kernel void @reduce(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr [32 x i32], ptr addrspace(3) @buffer, i32 0, i32 %t
  %g = getelementptr i32, ptr addrspace(1) %p, i32 %t
  %v = load i32, ptr addrspace(1) %g
  store i32 %v, ptr addrspace(3) %a
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = xor i32 %t, 1
  %b = getelementptr [32 x i32], ptr addrspace(3) @buffer, i32 0, i32 %x
  %w = load i32, ptr addrspace(3) %b
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %w, i32 1, i32 31)
  %sum = add i32 %s, %v
  %old = atomicrmw add ptr addrspace(1) %p, i32 %sum monotonic
  %exchanged = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %sum monotonic monotonic
  %new = extractvalue { i32, i1 } %exchanged, 0
  store i32 %new, ptr addrspace(1) %g
  ret void
}
