; Who asks for a budget and forgets -regalloc=warpalloc is told, and gets stock's PTX. With
; it, or without options of ours, nobody is told anything.
; RUN: %llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 -nvptx-regalloc-pressure-limit=32 -warpalloc-select=graph %s -o %t.ptx 2>%t.err
; RUN: %FileCheck %s <%t.err
; RUN: %llc_stock -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 %s -o %t.stock.ptx
; RUN: cmp %t.ptx %t.stock.ptx
; RUN: %llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 -nvptx-regalloc-occupancy-target %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=TARGET
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=32 %s -o /dev/null 2>%t.quiet
; RUN: count 0 <%t.quiet
; RUN: %llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 %s -o /dev/null 2>%t.quiet
; RUN: count 0 <%t.quiet

; CHECK:     warning: warpalloc: -nvptx-regalloc-pressure-limit has no effect without -regalloc=warpalloc
; CHECK-NEXT: warning: warpalloc: -warpalloc-select has no effect without -regalloc=warpalloc
; CHECK-NOT: {{.}}
; TARGET:    warning: warpalloc: -nvptx-regalloc-occupancy-target has no effect without -regalloc=warpalloc

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @f() {
  ret void
}
