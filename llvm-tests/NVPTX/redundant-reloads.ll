; What a register still holds is not loaded again. Each value is read twice behind the
; point where all are live; splitting would see to it that one reload serves both, so it
; is left out here.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 -warpalloc-disable=split,remat -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -c -o %t.cubin %t.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 -warpalloc-disable=split,remat,redundant-reloads -print-regalloc-stats %s -o %t.off.ptx 2>%t.off
; RUN: %FileCheck %s --check-prefix=OFF <%t.off

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry twice(
; CHECK:         ld.local.b32 [[A:%r[0-9]+]], [%SPL{{.*}}];
; CHECK-NEXT:    st.volatile.global.b32 [%rd{{[0-9]+}}], [[A]];
; CHECK-NEXT:    st.volatile.global.b32 [%rd{{[0-9]+}}], [[A]];
; CHECK:         ret;
; STATS: function=twice {{.*}}stores=1 reloads=1 
; OFF:   function=twice {{.*}}stores=1 reloads=2 
define ptx_kernel void @twice(ptr addrspace(1) %p) {
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  %c = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  ret void
}
