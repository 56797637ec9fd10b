; A function that is to be stock's leaves as it came, byte for byte, whatever all others get;
; here also with addresses that are folded elsewhere.

; RUN: sed 's/NOTHING//' %s >%t.ll
; RUN: sed 's/NOTHING/"warpalloc-stock"/' %s >%t.stock.ll
; RUN: %llc_stock -mcpu=sm_90 -mattr=+ptx88 %t.ll -o %t.expected.ptx
; RUN: %gpu_plain -nvptx-regalloc-pressure-limit=10 -warpalloc-spills=here %t.ll -o %t.here.ptx
; RUN: %not cmp %t.expected.ptx %t.here.ptx
; RUN: %gpu_plain -nvptx-regalloc-pressure-limit=10 -warpalloc-spills=here %t.stock.ll -o %t.stock.ptx
; RUN: cmp %t.expected.ptx %t.stock.ptx
; RUN: echo '{"version": 1, "choices": [{"function": "k", "options": {"stock": true}}]}' >%t.json
; RUN: %gpu_plain -nvptx-regalloc-pressure-limit=10 -warpalloc-spills=here -warpalloc-choices=%t.json %t.ll -o %t.stock.ptx
; RUN: cmp %t.expected.ptx %t.stock.ptx

; The attribute takes back what the file says.
; RUN: sed 's/NOTHING/"warpalloc-stock"="false"/' %s >%t.back.ll
; RUN: %gpu_plain -nvptx-regalloc-pressure-limit=10 -warpalloc-spills=here -warpalloc-choices=%t.json %t.back.ll -o %t.back.ptx
; RUN: cmp %t.here.ptx %t.back.ptx

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %p, i32 %i) NOTHING {
  %array = alloca [8 x i32]
  %at = getelementptr [8 x i32], ptr %array, i32 0, i32 %i
  %a = load volatile i32, ptr %p
  %b = load volatile i32, ptr %p
  %c = load volatile i32, ptr %p
  %d = load volatile i32, ptr %p
  %e = load volatile i32, ptr %p
  store volatile i32 %a, ptr %at
  %f = load volatile i32, ptr %array
  store volatile i32 %f, ptr %p
  store volatile i32 %e, ptr %p
  store volatile i32 %d, ptr %p
  store volatile i32 %c, ptr %p
  store volatile i32 %b, ptr %p
  ret void
}
