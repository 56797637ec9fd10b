; The kernel's own array and the spill slot share the depot without overlap: the
; array at 0, the slot behind it. Both go through the local frame pointer.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=9 -warpalloc-disable=remat,uniform,reorder -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry array(
; CHECK:         .local .align 16 .b8 __local_depot0[32];
; CHECK:         mov.b64 %SPL, __local_depot0;
; CHECK-NOT:     cvta
; CHECK:         add.u64 [[ARRAY:%rd[0-9]+]], %SPL, 0;
; CHECK:         ld.volatile.global.b32 [[X:%r[0-9]+]],
; CHECK-NEXT:    st.local.b32 [%SPL+16], [[X]]; // 4-byte Folded Spill
; CHECK:         add.s64 [[AT:%rd[0-9]+]], [[ARRAY]], %rd{{[0-9]+}};
; CHECK-NEXT:    st.local.b32 {{\[}}[[AT]]], %r{{[0-9]+}};
; CHECK-NOT:     %SP{{[^L]}}
; CHECK:         ld.local.b32 [[Y:%r[0-9]+]], [%SPL+16]; // 4-byte Folded Reload
; CHECK-NEXT:    st.volatile.global.b32 [%rd{{[0-9]+}}], [[Y]];

; STATS: used.R=9 maxlive.R=9 budget.R=9 spilled=1 stores=1 reloads=1
define ptx_kernel void @array(ptr addrspace(1) %p, i32 %i, i32 %j) {
  %array = alloca [4 x i32], align 16
  %x = load volatile i32, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  %g = getelementptr [4 x i32], ptr %array, i32 0, i32 %i
  store i32 %a, ptr %g
  %h = getelementptr [4 x i32], ptr %array, i32 0, i32 %j
  %w = load i32, ptr %h
  store volatile i32 %w, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}
