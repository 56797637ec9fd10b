; What a device function stores to tensor memory, and its caller waits for, is in flight to the end
; of the function: no other value gets its register, also where nothing is waited for there.
; RUN: %gpu -mcpu=sm_100a -mattr=+ptx86 -warpalloc-spills=here -verify-regalloc %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_100a -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.tcgen05.st.16x64b.x1(ptr addrspace(6), i32, i1)
declare void @llvm.nvvm.tcgen05.st.16x64b.x2(ptr addrspace(6), <2 x i32>, i1)
declare void @llvm.nvvm.tcgen05.wait.st()

; CHECK-LABEL: .func two_stores(
; CHECK:         tcgen05.st.sync.aligned.16x64b.x1.b32 [{{.*}}], {[[FIRST:%r[0-9]+]]};
; CHECK-NOT:     [[FIRST]]
; CHECK:         ret;
define void @two_stores(ptr addrspace(6) %t, i32 %a, <2 x i32> %b) {
  call void @llvm.nvvm.tcgen05.st.16x64b.x1(ptr addrspace(6) %t, i32 %a, i1 0)
  call void @llvm.nvvm.tcgen05.st.16x64b.x2(ptr addrspace(6) %t, <2 x i32> %b, i1 0)
  ret void
}

define ptx_kernel void @waits(ptr addrspace(6) %t, i32 %a, <2 x i32> %b) {
  call void @two_stores(ptr addrspace(6) %t, i32 %a, <2 x i32> %b)
  call void @llvm.nvvm.tcgen05.wait.st()
  ret void
}
