; -load and -load-pass-plugin give the same PTX.
; RUN: %llc -mcpu=sm_90 -regalloc=warpalloc -warpalloc-spills=here -verify-regalloc -verify-machineinstrs %s -o %t.load.ptx
; RUN: %llc_plugin -mcpu=sm_90 -regalloc=warpalloc -warpalloc-spills=here -verify-regalloc -verify-machineinstrs %s -o %t.plugin.ptx
; RUN: cmp %t.load.ptx %t.plugin.ptx
; RUN: %FileCheck %s <%t.load.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.plugin.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK:      .reg .b32 %r<2>;
; CHECK:      ld.volatile.global.b32 %r1, [%rd1];
; CHECK-NEXT: add.s32 %r1, %r1, 1;
; CHECK-NEXT: st.volatile.global.b32 [%rd1], %r1;
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %y = add i32 %x, 1
  store volatile i32 %y, ptr addrspace(1) %p
  ret void
}
