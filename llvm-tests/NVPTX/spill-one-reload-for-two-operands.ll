; An instruction that reads a spilled value twice gets one reload.
; RUN: %gpu -mcpu=sm_80 -nvptx-regalloc-pressure-limit=4 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry square(
; CHECK:         st.local.b32 [%SPL], %r{{[0-9]+}};
; CHECK:         ld.local.b32 [[X:%r[0-9]+]], [%SPL];
; CHECK-NEXT:    mul.lo.s32 [[Y:%r[0-9]+]], [[X]], [[X]];
; CHECK-NEXT:    st.volatile.global.b32 [%rd{{[0-9]+}}], [[Y]];
; CHECK-NOT:     ld.local
; CHECK:         ret;

; STATS: spilled=1 stores=1 reloads=1
define ptx_kernel void @square(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  %y = mul i32 %x, %x
  store volatile i32 %y, ptr addrspace(1) %p
  ret void
}
