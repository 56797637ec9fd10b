; A 16-bit value takes a whole 32-bit register of the budget, and a slot of two
; bytes in the depot.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; STATS-COUNT-3: used.R=4 maxlive.R=4 budget.R=4 spilled=1 stores=1 reloads=1

; CHECK-LABEL: .visible .entry short_precision(
; CHECK:         .local .align 2 .b8 __local_depot{{[0-9]+}}[2];
; CHECK:         .reg .b16 %rs<3>;
; CHECK-NEXT:    .reg .b64 %rd<2>;
; CHECK:         ld.volatile.global.b16 [[X:%rs[0-9]+]], [%rd1];
; CHECK-NEXT:    st.local.b16 [%SPL], [[X]]; // 2-byte Folded Spill
; CHECK-COUNT-4: st.volatile.global.b16
; CHECK-NEXT:    ld.local.b16 [[Y:%rs[0-9]+]], [%SPL]; // 2-byte Folded Reload
; CHECK-NEXT:    st.volatile.global.b16 [%rd1], [[Y]];
; CHECK-NEXT:    ret;
define ptx_kernel void @short_precision(ptr addrspace(1) %p) {
  %x = load volatile i16, ptr addrspace(1) %p
  %a = load volatile i16, ptr addrspace(1) %p
  %b = load volatile i16, ptr addrspace(1) %p
  store volatile i16 %a, ptr addrspace(1) %p
  store volatile i16 %b, ptr addrspace(1) %p
  store volatile i16 %a, ptr addrspace(1) %p
  store volatile i16 %b, ptr addrspace(1) %p
  store volatile i16 %x, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .visible .entry half_precision(
; CHECK:         .local .align 2 .b8 __local_depot{{[0-9]+}}[2];
; CHECK:         .reg .b16 %rs<3>;
; CHECK-NEXT:    .reg .b64 %rd<2>;
; CHECK:         ld.volatile.global.b16 [[X:%rs[0-9]+]], [%rd1];
; CHECK-NEXT:    st.local.b16 [%SPL], [[X]]; // 2-byte Folded Spill
; CHECK-COUNT-4: st.volatile.global.b16
; CHECK-NEXT:    ld.local.b16 [[Y:%rs[0-9]+]], [%SPL]; // 2-byte Folded Reload
; CHECK-NEXT:    st.volatile.global.b16 [%rd1], [[Y]];
; CHECK-NEXT:    ret;
define ptx_kernel void @half_precision(ptr addrspace(1) %p) {
  %x = load volatile half, ptr addrspace(1) %p
  %a = load volatile half, ptr addrspace(1) %p
  %b = load volatile half, ptr addrspace(1) %p
  store volatile half %a, ptr addrspace(1) %p
  store volatile half %b, ptr addrspace(1) %p
  store volatile half %a, ptr addrspace(1) %p
  store volatile half %b, ptr addrspace(1) %p
  store volatile half %x, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .visible .entry brain_precision(
; CHECK:         .local .align 2 .b8 __local_depot{{[0-9]+}}[2];
; CHECK:         .reg .b16 %rs<3>;
; CHECK-NEXT:    .reg .b64 %rd<2>;
; CHECK:         ld.volatile.global.b16 [[X:%rs[0-9]+]], [%rd1];
; CHECK-NEXT:    st.local.b16 [%SPL], [[X]]; // 2-byte Folded Spill
; CHECK-COUNT-4: st.volatile.global.b16
; CHECK-NEXT:    ld.local.b16 [[Y:%rs[0-9]+]], [%SPL]; // 2-byte Folded Reload
; CHECK-NEXT:    st.volatile.global.b16 [%rd1], [[Y]];
; CHECK-NEXT:    ret;
define ptx_kernel void @brain_precision(ptr addrspace(1) %p) {
  %x = load volatile bfloat, ptr addrspace(1) %p
  %a = load volatile bfloat, ptr addrspace(1) %p
  %b = load volatile bfloat, ptr addrspace(1) %p
  store volatile bfloat %a, ptr addrspace(1) %p
  store volatile bfloat %b, ptr addrspace(1) %p
  store volatile bfloat %a, ptr addrspace(1) %p
  store volatile bfloat %b, ptr addrspace(1) %p
  store volatile bfloat %x, ptr addrspace(1) %p
  ret void
}

