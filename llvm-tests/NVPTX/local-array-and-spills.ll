; The kernel's own array and the spill slot share the depot without overlap: the
; array at 0, the slot behind it. Both go through the local frame pointer.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=7 -warpalloc-disable=remat,uniform,reorder -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry array(
; CHECK:         .local .align 16 .b8 __local_depot0[32];
; CHECK:         mov.b64 %SPL, __local_depot0;
; CHECK-NOT:     cvta
; CHECK:         add.u64 [[ARRAY:%rd[0-9]+]], %SPL, 0;
; CHECK:         ld.param.b32 [[J:%r[0-9]+]], [array_param_2];
; CHECK-NEXT:    st.local.b32 [%SPL+16], [[J]]; // 4-byte Folded Spill
; CHECK:         add.s64 [[AT:%rd[0-9]+]], [[ARRAY]], %rd{{[0-9]+}};
; CHECK-NEXT:    st.local.b32 {{\[}}[[AT]]], %r{{[0-9]+}};
; CHECK-NOT:     %SP{{[^L]}}
; CHECK:         ld.local.b32 [[J:%r[0-9]+]], [%SPL+16]; // 4-byte Folded Reload
; CHECK-NEXT:    mul.wide.s32 %rd{{[0-9]+}}, [[J]], 4;

; STATS: used.R=7 maxlive.R=7 budget.R=7 spilled=1 stores=1 reloads=1
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
