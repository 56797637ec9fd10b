; A reload moves up to where its register becomes free, in its block or above, where that is asked for; without
; that it stands right before what reads the value. It stays behind a barrier. The profiles
; of ptxas and cicc ask for it, unless it is disabled.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=6 -warpalloc-profile=cicc -warpalloc-disable=reorder,remat %s -o - | %FileCheck %s
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=6 -warpalloc-profile=cicc -warpalloc-disable=reorder,remat,early-reloads %s -o - | %FileCheck %s --check-prefix=OFF
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=6 -warpalloc-enable=early-reloads -warpalloc-disable=reorder,remat %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=6 -warpalloc-disable=reorder,remat %s -o %t.off.ptx
; RUN: %FileCheck %s --check-prefix=OFF <%t.off.ptx

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; CHECK-LABEL: .visible .entry last(
; CHECK:         ld.local.b32 [[A:%r[0-9]+]], [%SPL{{.*}}];
; CHECK-NOT:     ld.local
; CHECK:         st.volatile.global.b32
; CHECK:         st.volatile.global.b32 [%rd{{[0-9]+}}], [[A]];
; CHECK-NEXT:    ret;
; OFF-LABEL:   .visible .entry last(
; OFF:           ld.local.b32 [[A:%r[0-9]+]], [%SPL{{.*}}];
; OFF-NEXT:      st.volatile.global.b32 [%rd{{[0-9]+}}], [[A]];
; OFF-NEXT:      ret;
define ptx_kernel void @last(ptr addrspace(1) %p) {
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  %c = load volatile i32, ptr addrspace(1) %p
  %d = load volatile i32, ptr addrspace(1) %p
  %e = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %e, ptr addrspace(1) %p
  store volatile i32 %d, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .visible .entry synchronised(
; CHECK:         bar.sync 0;
; CHECK:         ld.local
; CHECK:         ret;
define ptx_kernel void @synchronised(ptr addrspace(1) %p) {
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  %c = load volatile i32, ptr addrspace(1) %p
  %d = load volatile i32, ptr addrspace(1) %p
  %e = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %e, ptr addrspace(1) %p
  store volatile i32 %d, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store volatile i32 %a, ptr addrspace(1) %p
  ret void
}

; Where two paths meet again, a reload moves up to before they part, if neither is in its way.
; CHECK-LABEL: .visible .entry met(
; CHECK:         ld.local.b32 [[A:%r[0-9]+]], [%SPL{{.*}}];
; CHECK:         @%p{{[0-9]+}} bra
; CHECK-NOT:     ld.local
; CHECK:         st.volatile.global.b32 [%rd{{[0-9]+}}], [[A]];
; CHECK-NEXT:    ret;
; OFF-LABEL:   .visible .entry met(
; OFF:           @%p{{[0-9]+}} bra
; OFF:           ld.local.b32 [[A:%r[0-9]+]], [%SPL{{.*}}];
; OFF-NEXT:      st.volatile.global.b32 [%rd{{[0-9]+}}], [[A]];
; OFF-NEXT:      ret;
define ptx_kernel void @met(ptr addrspace(1) %p) {
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  %c = load volatile i32, ptr addrspace(1) %p
  %d = load volatile i32, ptr addrspace(1) %p
  %e = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %e, ptr addrspace(1) %p
  store volatile i32 %d, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  %x = load volatile i32, ptr addrspace(1) %p
  %is = icmp eq i32 %x, 0
  br i1 %is, label %one, label %other

one:
  %y = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %y, ptr addrspace(1) %p
  br label %end

other:
  store volatile i32 %x, ptr addrspace(1) %p
  br label %end

end:
  store volatile i32 %a, ptr addrspace(1) %p
  ret void
}
