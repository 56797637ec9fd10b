; Slots of 8, 4 and 2 bytes lie side by side without overlap, each aligned to its
; size.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=6 -warpalloc-disable=remat -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK:         .local .align 8 .b8 __local_depot0[16];
; CHECK:         ld.volatile.global.b16 [[H:%rs[0-9]+]],
; CHECK-NEXT:    st.local.b16 [%SPL+12], [[H]];
; CHECK-NEXT:    ld.volatile.global.b32 [[W:%r[0-9]+]],
; CHECK-NEXT:    st.local.b32 [%SPL+8], [[W]];
; CHECK-NEXT:    ld.volatile.global.b64 [[D:%rd[0-9]+]],
; CHECK-NEXT:    st.local.b64 [%SPL], [[D]];
; CHECK:         ld.local.b16 [[H:%rs[0-9]+]], [%SPL+12];
; CHECK-NEXT:    st.volatile.global.b16 [%rd{{[0-9]+}}], [[H]];
; CHECK-NEXT:    ld.local.b32 [[W:%r[0-9]+]], [%SPL+8];
; CHECK-NEXT:    st.volatile.global.b32 [%rd{{[0-9]+}}], [[W]];
; CHECK-NEXT:    ld.local.b64 [[D:%rd[0-9]+]], [%SPL];
; CHECK-NEXT:    st.volatile.global.b64 [%rd{{[0-9]+}}], [[D]];

; STATS: used.R=6 maxlive.R=6 budget.R=6 spilled=3 stores=3 reloads=3
define ptx_kernel void @widths(ptr addrspace(1) %p) {
  %h = load volatile half, ptr addrspace(1) %p
  %w = load volatile i32, ptr addrspace(1) %p
  %d = load volatile i64, ptr addrspace(1) %p
  %a = load volatile i64, ptr addrspace(1) %p
  %b = load volatile i64, ptr addrspace(1) %p
  store volatile i64 %a, ptr addrspace(1) %p
  store volatile i64 %b, ptr addrspace(1) %p
  store volatile i64 %a, ptr addrspace(1) %p
  store volatile i64 %b, ptr addrspace(1) %p
  store volatile i64 %a, ptr addrspace(1) %p
  store volatile i64 %b, ptr addrspace(1) %p
  store volatile half %h, ptr addrspace(1) %p
  store volatile i32 %w, ptr addrspace(1) %p
  store volatile i64 %d, ptr addrspace(1) %p
  ret void
}
