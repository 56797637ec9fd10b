; LLVM addresses shared memory by 64 bits, the hardware by 32: such an address takes one
; register, not two, and in memory its low half alone.
; RUN: %gpu -mcpu=sm_90 -warpalloc-disable=uniform -print-regalloc-stats %s -o %t.ptx 2>&1 \
; RUN:   | %FileCheck %s --check-prefix=HALF
; RUN: %gpu -mcpu=sm_90 -warpalloc-disable=uniform,low-halves -print-regalloc-stats %s \
; RUN:   -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=WHOLE
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 -warpalloc-disable=uniform,remat,reorder \
; RUN:   %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; The same sums as addresses in shared memory and in global memory.
; HALF: function=shared used.R=[[#SHARED:]] maxlive.R
; HALF: function=global used.R=[[#mul(SHARED,2)]] maxlive.R
; WHOLE: function=shared used.R=[[#GLOBAL:]] maxlive.R
; WHOLE: function=global used.R=[[#GLOBAL]] maxlive.R

; CHECK-LABEL: .visible .entry shared(
; CHECK:         cvt.u32.u64 [[LOW:%r[0-9]+]], [[ADDRESS:%rd[0-9]+]];
; CHECK-NEXT:    st.local.b32 [[SLOT:\[.*\]]], [[LOW]]; // 4-byte Folded Spill
; CHECK:         ld.local.b32 [[LOW:%r[0-9]+]], [[SLOT]]; // 4-byte Folded Reload
; CHECK-NEXT:    cvt.u64.u32 [[ADDRESS:%rd[0-9]+]], [[LOW]];
; CHECK:         st.volatile.shared.b32 {{\[}}[[ADDRESS]]],
; CHECK-LABEL: .visible .entry global(
; CHECK:         st.local.b64 [[SLOT:\[.*\]]], %rd{{[0-9]+}}; // 8-byte Folded Spill

define ptx_kernel void @shared(ptr addrspace(3) %p, i64 %i, i64 %j, i64 %k, i64 %l) {
  %a = getelementptr i32, ptr addrspace(3) %p, i64 %i
  %b = getelementptr i32, ptr addrspace(3) %p, i64 %j
  %c = getelementptr i32, ptr addrspace(3) %p, i64 %k
  %d = getelementptr i32, ptr addrspace(3) %p, i64 %l
  store volatile i32 0, ptr addrspace(3) %a
  store volatile i32 1, ptr addrspace(3) %b
  store volatile i32 2, ptr addrspace(3) %c
  store volatile i32 3, ptr addrspace(3) %d
  store volatile i32 4, ptr addrspace(3) %a
  store volatile i32 5, ptr addrspace(3) %b
  store volatile i32 6, ptr addrspace(3) %c
  store volatile i32 7, ptr addrspace(3) %d
  ret void
}

define ptx_kernel void @global(ptr addrspace(1) %p, i64 %i, i64 %j, i64 %k, i64 %l) {
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %b = getelementptr i32, ptr addrspace(1) %p, i64 %j
  %c = getelementptr i32, ptr addrspace(1) %p, i64 %k
  %d = getelementptr i32, ptr addrspace(1) %p, i64 %l
  store volatile i32 0, ptr addrspace(1) %a
  store volatile i32 1, ptr addrspace(1) %b
  store volatile i32 2, ptr addrspace(1) %c
  store volatile i32 3, ptr addrspace(1) %d
  store volatile i32 4, ptr addrspace(1) %a
  store volatile i32 5, ptr addrspace(1) %b
  store volatile i32 6, ptr addrspace(1) %c
  store volatile i32 7, ptr addrspace(1) %d
  ret void
}
