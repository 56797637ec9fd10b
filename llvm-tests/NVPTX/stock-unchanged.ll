; The plugin that is loaded but not asked for changes nothing: without -regalloc, or
; with another allocator's name, which NVPTX ignores, the PTX is stock's, even if
; the other options are given. Nothing is printed but that these have no effect.
; RUN: %llc_stock -mcpu=sm_90 %s -o %t.stock.ptx
; RUN: %llc -mcpu=sm_90 -print-regalloc-stats -nvptx-regalloc-pressure-limit=3 %s -o %t.loaded.ptx 2>%t.told
; RUN: cmp %t.stock.ptx %t.loaded.ptx
; RUN: %llc_plugin -mcpu=sm_90 %s -o %t.plugin.ptx 2>%t.err
; RUN: cmp %t.stock.ptx %t.plugin.ptx
; RUN: %llc -mcpu=sm_90 -regalloc=greedy -print-regalloc-stats %s -o %t.greedy.ptx 2>>%t.told
; RUN: cmp %t.stock.ptx %t.greedy.ptx
; RUN: count 0 <%t.err
; RUN: not grep -v "warning: warpalloc: .* has no effect without -regalloc=warpalloc" %t.told
; RUN: %llc_stock -O0 -mcpu=sm_90 %s -o %t.stock.ptx
; RUN: %llc -O0 -mcpu=sm_90 %s -o %t.loaded.ptx
; RUN: cmp %t.stock.ptx %t.loaded.ptx
; RUN: %FileCheck %s <%t.stock.ptx

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry k(
; CHECK:         .reg .b32 %r<5>;
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  %c = add i32 %a, %b
  %d = mul i32 %c, %a
  store volatile i32 %d, ptr addrspace(1) %p
  ret void
}
