; A kernel that spills leaves eight registers of its budget to ptxas, which takes some for
; itself: R1 points to what is spilled. One that fits takes all of them. Below 24 registers,
; where ptxas is not asked to stay, nothing is left.
; RUN: %gpu -mcpu=sm_90 -warpalloc-disable=uniform -nvptx-regalloc-pressure-limit=32 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %gpu -mcpu=sm_90 -warpalloc-disable=uniform,spill-reserve -nvptx-regalloc-pressure-limit=32 -print-regalloc-stats %s -o /dev/null 2>%t.all.stats
; RUN: %FileCheck %s --check-prefix=ALL <%t.all.stats
; RUN: %gpu -mcpu=sm_90 -warpalloc-disable=uniform -nvptx-regalloc-pressure-limit=23 -print-regalloc-stats %s -o /dev/null 2>%t.few.stats
; RUN: %FileCheck %s --check-prefix=FEW <%t.few.stats

target triple = "nvptx64-nvidia-cuda"

; CHECK:      function=fits used.R=32 maxlive.R=32 budget.R=32 spilled=0
; CHECK-NEXT: warpalloc: function=spills used.R=24 maxlive.R=24 budget.R=32 spilled=9
; ALL:        function=fits used.R=32 maxlive.R=32 budget.R=32 spilled=0
; ALL-NEXT:   warpalloc: function=spills used.R=32 maxlive.R=32 budget.R=32 spilled=1
; FEW:        function=fits used.R=23 maxlive.R=23 budget.R=23 spilled=9
define ptx_kernel void @fits(ptr addrspace(1) %p) {
  %v0 = load volatile float, ptr addrspace(1) %p
  %v1 = load volatile float, ptr addrspace(1) %p
  %v2 = load volatile float, ptr addrspace(1) %p
  %v3 = load volatile float, ptr addrspace(1) %p
  %v4 = load volatile float, ptr addrspace(1) %p
  %v5 = load volatile float, ptr addrspace(1) %p
  %v6 = load volatile float, ptr addrspace(1) %p
  %v7 = load volatile float, ptr addrspace(1) %p
  %v8 = load volatile float, ptr addrspace(1) %p
  %v9 = load volatile float, ptr addrspace(1) %p
  %v10 = load volatile float, ptr addrspace(1) %p
  %v11 = load volatile float, ptr addrspace(1) %p
  %v12 = load volatile float, ptr addrspace(1) %p
  %v13 = load volatile float, ptr addrspace(1) %p
  %v14 = load volatile float, ptr addrspace(1) %p
  %v15 = load volatile float, ptr addrspace(1) %p
  %v16 = load volatile float, ptr addrspace(1) %p
  %v17 = load volatile float, ptr addrspace(1) %p
  %v18 = load volatile float, ptr addrspace(1) %p
  %v19 = load volatile float, ptr addrspace(1) %p
  %v20 = load volatile float, ptr addrspace(1) %p
  %v21 = load volatile float, ptr addrspace(1) %p
  %v22 = load volatile float, ptr addrspace(1) %p
  %v23 = load volatile float, ptr addrspace(1) %p
  %v24 = load volatile float, ptr addrspace(1) %p
  %v25 = load volatile float, ptr addrspace(1) %p
  %v26 = load volatile float, ptr addrspace(1) %p
  %v27 = load volatile float, ptr addrspace(1) %p
  %v28 = load volatile float, ptr addrspace(1) %p
  %v29 = load volatile float, ptr addrspace(1) %p
  store volatile float %v0, ptr addrspace(1) %p
  store volatile float %v1, ptr addrspace(1) %p
  store volatile float %v2, ptr addrspace(1) %p
  store volatile float %v3, ptr addrspace(1) %p
  store volatile float %v4, ptr addrspace(1) %p
  store volatile float %v5, ptr addrspace(1) %p
  store volatile float %v6, ptr addrspace(1) %p
  store volatile float %v7, ptr addrspace(1) %p
  store volatile float %v8, ptr addrspace(1) %p
  store volatile float %v9, ptr addrspace(1) %p
  store volatile float %v10, ptr addrspace(1) %p
  store volatile float %v11, ptr addrspace(1) %p
  store volatile float %v12, ptr addrspace(1) %p
  store volatile float %v13, ptr addrspace(1) %p
  store volatile float %v14, ptr addrspace(1) %p
  store volatile float %v15, ptr addrspace(1) %p
  store volatile float %v16, ptr addrspace(1) %p
  store volatile float %v17, ptr addrspace(1) %p
  store volatile float %v18, ptr addrspace(1) %p
  store volatile float %v19, ptr addrspace(1) %p
  store volatile float %v20, ptr addrspace(1) %p
  store volatile float %v21, ptr addrspace(1) %p
  store volatile float %v22, ptr addrspace(1) %p
  store volatile float %v23, ptr addrspace(1) %p
  store volatile float %v24, ptr addrspace(1) %p
  store volatile float %v25, ptr addrspace(1) %p
  store volatile float %v26, ptr addrspace(1) %p
  store volatile float %v27, ptr addrspace(1) %p
  store volatile float %v28, ptr addrspace(1) %p
  store volatile float %v29, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @spills(ptr addrspace(1) %p) {
  %v0 = load volatile float, ptr addrspace(1) %p
  %v1 = load volatile float, ptr addrspace(1) %p
  %v2 = load volatile float, ptr addrspace(1) %p
  %v3 = load volatile float, ptr addrspace(1) %p
  %v4 = load volatile float, ptr addrspace(1) %p
  %v5 = load volatile float, ptr addrspace(1) %p
  %v6 = load volatile float, ptr addrspace(1) %p
  %v7 = load volatile float, ptr addrspace(1) %p
  %v8 = load volatile float, ptr addrspace(1) %p
  %v9 = load volatile float, ptr addrspace(1) %p
  %v10 = load volatile float, ptr addrspace(1) %p
  %v11 = load volatile float, ptr addrspace(1) %p
  %v12 = load volatile float, ptr addrspace(1) %p
  %v13 = load volatile float, ptr addrspace(1) %p
  %v14 = load volatile float, ptr addrspace(1) %p
  %v15 = load volatile float, ptr addrspace(1) %p
  %v16 = load volatile float, ptr addrspace(1) %p
  %v17 = load volatile float, ptr addrspace(1) %p
  %v18 = load volatile float, ptr addrspace(1) %p
  %v19 = load volatile float, ptr addrspace(1) %p
  %v20 = load volatile float, ptr addrspace(1) %p
  %v21 = load volatile float, ptr addrspace(1) %p
  %v22 = load volatile float, ptr addrspace(1) %p
  %v23 = load volatile float, ptr addrspace(1) %p
  %v24 = load volatile float, ptr addrspace(1) %p
  %v25 = load volatile float, ptr addrspace(1) %p
  %v26 = load volatile float, ptr addrspace(1) %p
  %v27 = load volatile float, ptr addrspace(1) %p
  %v28 = load volatile float, ptr addrspace(1) %p
  %v29 = load volatile float, ptr addrspace(1) %p
  %v30 = load volatile float, ptr addrspace(1) %p
  store volatile float %v0, ptr addrspace(1) %p
  store volatile float %v1, ptr addrspace(1) %p
  store volatile float %v2, ptr addrspace(1) %p
  store volatile float %v3, ptr addrspace(1) %p
  store volatile float %v4, ptr addrspace(1) %p
  store volatile float %v5, ptr addrspace(1) %p
  store volatile float %v6, ptr addrspace(1) %p
  store volatile float %v7, ptr addrspace(1) %p
  store volatile float %v8, ptr addrspace(1) %p
  store volatile float %v9, ptr addrspace(1) %p
  store volatile float %v10, ptr addrspace(1) %p
  store volatile float %v11, ptr addrspace(1) %p
  store volatile float %v12, ptr addrspace(1) %p
  store volatile float %v13, ptr addrspace(1) %p
  store volatile float %v14, ptr addrspace(1) %p
  store volatile float %v15, ptr addrspace(1) %p
  store volatile float %v16, ptr addrspace(1) %p
  store volatile float %v17, ptr addrspace(1) %p
  store volatile float %v18, ptr addrspace(1) %p
  store volatile float %v19, ptr addrspace(1) %p
  store volatile float %v20, ptr addrspace(1) %p
  store volatile float %v21, ptr addrspace(1) %p
  store volatile float %v22, ptr addrspace(1) %p
  store volatile float %v23, ptr addrspace(1) %p
  store volatile float %v24, ptr addrspace(1) %p
  store volatile float %v25, ptr addrspace(1) %p
  store volatile float %v26, ptr addrspace(1) %p
  store volatile float %v27, ptr addrspace(1) %p
  store volatile float %v28, ptr addrspace(1) %p
  store volatile float %v29, ptr addrspace(1) %p
  store volatile float %v30, ptr addrspace(1) %p
  ret void
}
