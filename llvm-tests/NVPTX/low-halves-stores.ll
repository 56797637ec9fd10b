; A store of 32 bits takes the low half of a 64-bit register, by the same instruction of
; LLVM that stores all of another. Only what no store takes whole is spilled by halves, in
; whatever order they come, in one function and in another.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=8 -warpalloc-disable=remat,reorder %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: narrow(
; CHECK:         cvt.u32.u64 [[LOW:%r[0-9]+]], %rd{{[0-9]+}};
; CHECK-NEXT:    st.local.b32 [%SPL{{.*}}], [[LOW]]; // 4-byte Folded Spill
; CHECK:         st.param.b32 [func_retval0], %rd{{[0-9]+}};
define i32 @narrow(i64 %a, i64 %b) {
  %product = mul i64 %a, %b
  call void asm sideeffect "", "l,l,l,r"(i64 %a, i64 %b, i64 %a, i32 0)
  call void asm sideeffect "", "l,l,l,l"(i64 1, i64 2, i64 3, i64 4)
  %low = trunc i64 %product to i32
  ret i32 %low
}

; CHECK-LABEL: wide(
; CHECK-NOT:     cvt.
; CHECK:         st.local.b64 [%SPL{{.*}}], %rd{{[0-9]+}}; // 8-byte Folded Spill
; CHECK-NOT:     cvt.
; CHECK:         st.param.b64 [func_retval0], %rd{{[0-9]+}};
define i64 @wide(i64 %a, i64 %b) {
  %product = mul i64 %a, %b
  call void asm sideeffect "", "l,l,l,r"(i64 %a, i64 %b, i64 %a, i32 0)
  call void asm sideeffect "", "l,l,l,l"(i64 1, i64 2, i64 3, i64 4)
  ret i64 %product
}

; CHECK-LABEL: both(
; CHECK-NOT:     cvt.
; CHECK:         mul.lo.s64 [[WHOLE:%rd[0-9]+]],
; CHECK-NEXT:    st.local.b64 [%SPL{{.*}}], [[WHOLE]]; // 8-byte Folded Spill
; CHECK-NEXT:    st.volatile.global.b32 [%rd{{[0-9]+}}], [[WHOLE]];
; CHECK-NOT:     cvt.
; CHECK:         st.volatile.global.b64
define ptx_kernel void @both(ptr addrspace(1) %p, i64 %a, i64 %b) {
  %product = mul i64 %a, %b
  %low = trunc i64 %product to i32
  store volatile i32 %low, ptr addrspace(1) %p
  call void asm sideeffect "", "l,l,l,l"(i64 1, i64 2, i64 3, i64 4)
  store volatile i64 %product, ptr addrspace(1) %p
  ret void
}
