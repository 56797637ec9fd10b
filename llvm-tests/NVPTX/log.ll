; WARPALLOC_LOG writes what the allocator does to stderr and changes nothing in the
; PTX. Without it nothing is written.
; RUN: env WARPALLOC_LOG=debug %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 %s -o %t.log.ptx 2>%t.log
; RUN: %FileCheck %s <%t.log
; RUN: env WARPALLOC_LOG=error %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 %s -o %t.error.ptx 2>%t.err
; RUN: count 0 <%t.err
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 %s -o %t.ptx 2>%t.err
; RUN: count 0 <%t.err
; RUN: cmp %t.ptx %t.log.ptx
; RUN: cmp %t.ptx %t.error.ptx
; RUN: %FileCheck %s --check-prefix=PTX <%t.ptx

; A file gets no colours.
; CHECK-NOT: {{\x1b}}
; CHECK:     DEBUG passes::{{.*}} coloured attempt=spill failed=1
; CHECK:     DEBUG passes::{{.*}} coloured attempt=retry failed=0
; CHECK:     INFO passes::{{.*}} function="k" statistics={{.*}}spilled=1 stores=1 reloads=1
; PTX:       st.local.b32

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}
