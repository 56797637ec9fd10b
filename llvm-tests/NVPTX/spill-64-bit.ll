; A 64-bit value, integer or double, is spilled whole, to an aligned slot of eight
; bytes.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=6 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry integer(
; CHECK:         .local .align 8 .b8 __local_depot0[8];
; CHECK:         .reg .b64 %rd<4>;
; CHECK:         ld.volatile.global.b64 [[X:%rd[0-9]+]], [%rd{{[0-9]+}}];
; CHECK-NEXT:    st.local.b64 [%SPL], [[X]]; // 8-byte Folded Spill
; CHECK-COUNT-4: st.volatile.global.b64
; CHECK-NEXT:    ld.local.b64 [[Y:%rd[0-9]+]], [%SPL]; // 8-byte Folded Reload
; CHECK-NEXT:    st.volatile.global.b64 [%rd{{[0-9]+}}], [[Y]];
; CHECK-NEXT:    ret;

; STATS: function=integer used.R=6 maxlive.R=6 budget.R=6 spilled=1 stores=1 reloads=1
define ptx_kernel void @integer(ptr addrspace(1) %p) {
  %x = load volatile i64, ptr addrspace(1) %p
  %a = load volatile i64, ptr addrspace(1) %p
  %b = load volatile i64, ptr addrspace(1) %p
  store volatile i64 %a, ptr addrspace(1) %p
  store volatile i64 %b, ptr addrspace(1) %p
  store volatile i64 %a, ptr addrspace(1) %p
  store volatile i64 %b, ptr addrspace(1) %p
  store volatile i64 %x, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .visible .entry real(
; CHECK:         .local .align 8 .b8 __local_depot1[8];
; CHECK:         ld.volatile.global.b64 [[X:%rd[0-9]+]], [%rd{{[0-9]+}}];
; CHECK-NEXT:    st.local.b64 [%SPL], [[X]];
; CHECK:         ld.local.b64 [[Y:%rd[0-9]+]], [%SPL];
; CHECK-NEXT:    add.rn.f64 [[Z:%rd[0-9]+]], [[Y]], [[Y]];
; CHECK-NEXT:    st.volatile.global.b64 [%rd{{[0-9]+}}], [[Z]];

; STATS: function=real used.R=6 maxlive.R=6 budget.R=6 spilled=1 stores=1 reloads=1
define ptx_kernel void @real(ptr addrspace(1) %p) {
  %x = load volatile double, ptr addrspace(1) %p
  %a = load volatile double, ptr addrspace(1) %p
  %b = load volatile double, ptr addrspace(1) %p
  store volatile double %a, ptr addrspace(1) %p
  store volatile double %b, ptr addrspace(1) %p
  store volatile double %a, ptr addrspace(1) %p
  store volatile double %b, ptr addrspace(1) %p
  store volatile double %a, ptr addrspace(1) %p
  store volatile double %b, ptr addrspace(1) %p
  %y = fadd double %x, %x
  store volatile double %y, ptr addrspace(1) %p
  ret void
}
