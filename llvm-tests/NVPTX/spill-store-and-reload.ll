; The value that is read once, and last, goes into memory: stored right after its
; definition, read back right before its use, at the start of the depot, through
; the local frame pointer. The generic one would be a miscompile.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry once(
; CHECK:         .local .align 4 .b8 __local_depot0[4];
; CHECK:         .reg .b32 %r<3>;
; CHECK-NEXT:    .reg .b64 %rd<2>;
; CHECK:         mov.b64 %SPL, __local_depot0;
; CHECK-NEXT:    ld.param.b64 [[P:%rd[0-9]+]], [once_param_0];
; CHECK-NEXT:    ld.volatile.global.b32 [[CHEAP:%r[0-9]+]], {{\[}}[[P]]];
; CHECK-NEXT:    st.local.b32 [%SPL], [[CHEAP]]; // 4-byte Folded Spill
; CHECK-NEXT:    ld.volatile.global.b32 [[A:%r[0-9]+]], {{\[}}[[P]]];
; CHECK-NEXT:    ld.volatile.global.b32 [[B:%r[0-9]+]], {{\[}}[[P]]];
; CHECK-NEXT:    st.volatile.global.b32 {{\[}}[[P]]], [[A]];
; CHECK-NEXT:    st.volatile.global.b32 {{\[}}[[P]]], [[B]];
; CHECK-NEXT:    st.volatile.global.b32 {{\[}}[[P]]], [[A]];
; CHECK-NEXT:    st.volatile.global.b32 {{\[}}[[P]]], [[B]];
; CHECK-NEXT:    ld.local.b32 [[AGAIN:%r[0-9]+]], [%SPL]; // 4-byte Folded Reload
; CHECK-NEXT:    st.volatile.global.b32 {{\[}}[[P]]], [[AGAIN]];
; CHECK-NEXT:    ret;

; STATS: warpalloc: function=once used.R=4 maxlive.R=4 budget.R=4 spilled=1 stores=1 reloads=1 remats=0 {{.*}}copies_left=0
define ptx_kernel void @once(ptr addrspace(1) %p) {
  %cheap = load volatile i32, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %cheap, ptr addrspace(1) %p
  ret void
}
