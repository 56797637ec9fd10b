; Each class declares the registers that something lives in, numbered from 1
; without gaps, and a class that is not used is not declared.
; RUN: %gpu -mcpu=sm_70 %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %if ptxas %{ %ptxas12 -arch=sm_70 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; Two values of one class that are never live together are one register.
; CHECK-LABEL: .visible .entry one_after_the_other(
; CHECK:         .reg .b32 %r<2>;
; CHECK-NEXT:    .reg .b64 %rd<2>;
; CHECK-NOT:     .reg
; CHECK:         ld.volatile.global.b32 %r1, [%rd1];
; CHECK-NEXT:    st.volatile.global.b32 [%rd1], %r1;
; CHECK-NEXT:    ld.volatile.global.b32 %r1, [%rd1];
; CHECK-NEXT:    st.volatile.global.b32 [%rd1], %r1;
; CHECK-NEXT:    ret;
define ptx_kernel void @one_after_the_other(ptr addrspace(1) %p) {
  %a = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .visible .entry only_addresses(
; CHECK:         .reg .b64 %rd<2>;
; CHECK-NOT:     .reg
; CHECK:         st.volatile.global.b32 [%rd1], 7;
define ptx_kernel void @only_addresses(ptr addrspace(1) %p) {
  store volatile i32 7, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .visible .entry every_class(
; CHECK:         .reg .pred %p<2>;
; CHECK-NEXT:    .reg .b16 %rs<3>;
; CHECK-NEXT:    .reg .b32 %r<3>;
; CHECK-NEXT:    .reg .b64 %rd<2>;
; CHECK-NOT:     .reg
define ptx_kernel void @every_class(ptr addrspace(1) %p) {
  %h = load volatile i16, ptr addrspace(1) %p
  %g = load volatile i16, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  %c = icmp slt i32 %a, %b
  %s = select i1 %c, i16 %h, i16 %g
  store volatile i16 %s, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  ret void
}
