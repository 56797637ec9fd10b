; What is computed of values that are in registers is computed again, not stored and
; reloaded: sums and the like of two numbers that are both needed to the end. Without
; chains they go through memory.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=21 -print-regalloc-stats %s -o %t.ptx 2>%t.err
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.err
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=21 -warpalloc-disable=remat-chains -print-regalloc-stats %s -o /dev/null 2>%t.off
; RUN: %FileCheck %s --check-prefix=OFF <%t.off

; CHECK-LABEL:   .entry chains(
; CHECK-NOT:     .local
; CHECK:         add.s32 %r{{[0-9]+}}, {{.*}};
; CHECK-COUNT-16: ld.volatile
; CHECK:         add.s32 %r{{[0-9]+}}, {{%r[0-9]+, %r[0-9]+}};
; STATS: spilled=0 stores=0 reloads=0 remats={{[1-9]}}
; OFF:   spilled={{[1-9]}}

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @chains(ptr addrspace(1) %p, i32 %index) {
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %a = add i32 %x, %y
  %b = sub i32 %x, %y
  %c = xor i32 %x, %y
  %d = and i32 %x, %y
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  store volatile i32 %d, ptr addrspace(1) %p
  %l0 = load volatile i32, ptr addrspace(1) %p
  %l1 = load volatile i32, ptr addrspace(1) %p
  %l2 = load volatile i32, ptr addrspace(1) %p
  %l3 = load volatile i32, ptr addrspace(1) %p
  %l4 = load volatile i32, ptr addrspace(1) %p
  %l5 = load volatile i32, ptr addrspace(1) %p
  %l6 = load volatile i32, ptr addrspace(1) %p
  %l7 = load volatile i32, ptr addrspace(1) %p
  %l8 = load volatile i32, ptr addrspace(1) %p
  %l9 = load volatile i32, ptr addrspace(1) %p
  %l10 = load volatile i32, ptr addrspace(1) %p
  %l11 = load volatile i32, ptr addrspace(1) %p
  %l12 = load volatile i32, ptr addrspace(1) %p
  %l13 = load volatile i32, ptr addrspace(1) %p
  %l14 = load volatile i32, ptr addrspace(1) %p
  %l15 = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %l0, ptr addrspace(1) %p
  store volatile i32 %l1, ptr addrspace(1) %p
  store volatile i32 %l2, ptr addrspace(1) %p
  store volatile i32 %l3, ptr addrspace(1) %p
  store volatile i32 %l4, ptr addrspace(1) %p
  store volatile i32 %l5, ptr addrspace(1) %p
  store volatile i32 %l6, ptr addrspace(1) %p
  store volatile i32 %l7, ptr addrspace(1) %p
  store volatile i32 %l8, ptr addrspace(1) %p
  store volatile i32 %l9, ptr addrspace(1) %p
  store volatile i32 %l10, ptr addrspace(1) %p
  store volatile i32 %l11, ptr addrspace(1) %p
  store volatile i32 %l12, ptr addrspace(1) %p
  store volatile i32 %l13, ptr addrspace(1) %p
  store volatile i32 %l14, ptr addrspace(1) %p
  store volatile i32 %l15, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  store volatile i32 %d, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  store volatile i32 %y, ptr addrspace(1) %p
  ret void
}
