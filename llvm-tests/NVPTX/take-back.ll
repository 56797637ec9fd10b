; A spill is taken back where a register turned out to be free all along: what is spilled
; later makes room for what was spilled before. Only where that is asked for, as in the
; profile of ptxas. Of one of these kernels all is taken back, of the other a part.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=5 -warpalloc-profile=ptxas -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.stats
; RUN: %FileCheck %s --check-prefix=PTX <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=5 -warpalloc-profile=ptxas -warpalloc-disable=take-back -print-regalloc-stats %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=OFF
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=5 -warpalloc-profile=auto -warpalloc-select=fatpoint -warpalloc-enable=take-back %s -o /dev/null

; CHECK:      function=all {{.*}}spilled=0 stores=0 reloads=0 {{.*}}spill_cost=0.00
; CHECK-NEXT: function=part {{.*}}spilled=1 stores=1 reloads=1 {{.*}}spill_cost=2.04
; OFF:        function=all {{.*}}spilled=1 stores=1 reloads=1 {{.*}}spill_cost=2.00
; OFF-NEXT:   function=part {{.*}}spilled=2 stores=2 reloads=2 {{.*}}spill_cost=4.02
; PTX-LABEL:  .visible .entry all(
; PTX-NOT:    .local
; PTX-LABEL:  .visible .entry part(
; PTX-COUNT-1: st.local
; PTX-NOT:    st.local

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @all(ptr addrspace(1) %p) {
  %v0 = load volatile i32, ptr addrspace(1) %p
  %v1 = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %v0, ptr addrspace(1) %p
  store volatile i32 %v1, ptr addrspace(1) %p
  %v2 = load volatile i32, ptr addrspace(1) %p
  %v3 = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %v0, ptr addrspace(1) %p
  %v4 = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %v2, ptr addrspace(1) %p
  store volatile i32 %v4, ptr addrspace(1) %p
  store volatile i32 %v4, ptr addrspace(1) %p
  store volatile i32 %v3, ptr addrspace(1) %p
  store volatile i32 %v3, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @part(ptr addrspace(1) %p) {
  %v0 = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %v0, ptr addrspace(1) %p
  %v1 = load volatile i32, ptr addrspace(1) %p
  %v2 = load volatile i32, ptr addrspace(1) %p
  %v3 = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %v2, ptr addrspace(1) %p
  %v4 = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %v1, ptr addrspace(1) %p
  store volatile i32 %v3, ptr addrspace(1) %p
  store volatile i32 %v2, ptr addrspace(1) %p
  store volatile i32 %v4, ptr addrspace(1) %p
  ret void
}
