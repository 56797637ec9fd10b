; A 64-bit value takes an even pair: with one single register live between pairs,
; three pairs and one single need seven registers, and an odd limit of seven
; holds them, for the single takes the last.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=7 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=6 -print-regalloc-stats %s -o %t.six.ptx 2>&1 | %FileCheck %s --check-prefix=SIX

target triple = "nvptx64-nvidia-cuda"

; CHECK:         .reg .b32 %r<2>;
; CHECK-NEXT:    .reg .b64 %rd<4>;
; CHECK-NOT:     local

; STATS: used.R=7 maxlive.R=7 budget.R=7 spilled=0
; SIX: used.R=6 maxlive.R=6 budget.R=6 spilled=1
define ptx_kernel void @pairs(ptr addrspace(1) %p) {
  %s = load volatile i32, ptr addrspace(1) %p
  %a = load volatile i64, ptr addrspace(1) %p
  %b = load volatile i64, ptr addrspace(1) %p
  store volatile i64 %a, ptr addrspace(1) %p
  store volatile i64 %b, ptr addrspace(1) %p
  store volatile i64 %a, ptr addrspace(1) %p
  store volatile i64 %b, ptr addrspace(1) %p
  store volatile i32 %s, ptr addrspace(1) %p
  ret void
}
