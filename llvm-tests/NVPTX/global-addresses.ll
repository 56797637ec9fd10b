; A generic address of global memory is the global address: the conversion goes, and
; under pressure the parameter is loaded again instead of being stored.
; RUN: %gpu -mcpu=sm_90 %s -o - | %FileCheck %s
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=5 -print-regalloc-stats %s -o %t.ptx 2>%t.err
; RUN: %FileCheck %s --check-prefix=STATS <%t.err
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry converted(
; CHECK-NOT:     cvta
; CHECK:         ld.param.b64 [[P:%rd[0-9]+]], [converted_param_0];
; CHECK-NOT:     cvta
; CHECK:         ld.volatile.global.b32 %r{{[0-9]+}}, {{\[}}[[P]]];
; CHECK:         ret;
; STATS: function=converted {{.*}}spilled=0 stores=0 reloads=0 remats={{[1-9]}}
define ptx_kernel void @converted(ptr %p) {
  %g = addrspacecast ptr %p to ptr addrspace(1)
  %a = load volatile i32, ptr addrspace(1) %g
  %b = load volatile i32, ptr addrspace(1) %g
  %c = load volatile i32, ptr addrspace(1) %g
  %d = load volatile i32, ptr addrspace(1) %g
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %all = mul i32 %ab, %cd
  store volatile i32 %all, ptr addrspace(1) %g
  store volatile i32 %a, ptr addrspace(1) %g
  ret void
}

; Shared memory has a window of its own: its addresses are others.
; CHECK-LABEL: .entry shared_too(
; CHECK:         cvta.to.shared.u64
define ptx_kernel void @shared_too(ptr %p) {
  %s = addrspacecast ptr %p to ptr addrspace(3)
  store volatile i32 1, ptr addrspace(3) %s
  ret void
}
