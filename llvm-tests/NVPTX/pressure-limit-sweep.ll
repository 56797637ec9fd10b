; Ten floats and a pointer are live at once, twelve registers. Every smaller limit
; is kept, and used to the full (the pointer, a parameter, is loaded again where too few
; are left); larger ones only choose other registers.
; Without a limit the budget is 255.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=255 -print-regalloc-stats %s -o %t.255.ptx 2>%t.255.stats
; RUN: %FileCheck %s --check-prefix=L12 <%t.255.ptx
; RUN: %FileCheck %s --check-prefix=S255 <%t.255.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.255.cubin %t.255.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=64 -print-regalloc-stats %s -o %t.64.ptx 2>%t.64.stats
; RUN: %FileCheck %s --check-prefix=L12 <%t.64.ptx
; RUN: %FileCheck %s --check-prefix=S64 <%t.64.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.64.cubin %t.64.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=12 -print-regalloc-stats %s -o %t.12.ptx 2>%t.12.stats
; RUN: %FileCheck %s --check-prefix=L12 <%t.12.ptx
; RUN: %FileCheck %s --check-prefix=S12 <%t.12.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.12.cubin %t.12.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=11 -print-regalloc-stats %s -o %t.11.ptx 2>%t.11.stats
; RUN: %FileCheck %s --check-prefix=L11 <%t.11.ptx
; RUN: %FileCheck %s --check-prefix=S11 <%t.11.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.11.cubin %t.11.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=8 -print-regalloc-stats %s -o %t.8.ptx 2>%t.8.stats
; RUN: %FileCheck %s --check-prefix=L8 <%t.8.ptx
; RUN: %FileCheck %s --check-prefix=S8 <%t.8.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.8.cubin %t.8.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=5 -print-regalloc-stats %s -o %t.5.ptx 2>%t.5.stats
; RUN: %FileCheck %s --check-prefix=L5 <%t.5.ptx
; RUN: %FileCheck %s --check-prefix=S5 <%t.5.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.5.cubin %t.5.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 -print-regalloc-stats %s -o %t.4.ptx 2>%t.4.stats
; RUN: %FileCheck %s --check-prefix=L4 <%t.4.ptx
; RUN: %FileCheck %s --check-prefix=S4 <%t.4.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.4.cubin %t.4.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=3 -print-regalloc-stats %s -o %t.3.ptx 2>%t.3.stats
; RUN: %FileCheck %s --check-prefix=L3 <%t.3.ptx
; RUN: %FileCheck %s --check-prefix=S3 <%t.3.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.3.cubin %t.3.ptx %}
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=S255
; RUN: cmp %t.ptx %t.255.ptx

target triple = "nvptx64-nvidia-cuda"

; L12-LABEL: .visible .entry ten(
; L12-NOT: .local
; L12: .reg .b32 %r<11>;
; L12-NEXT: .reg .b64 %rd<2>;
; L12-NOT: .reg
; L12: ret;

; L11-LABEL: .visible .entry ten(
; L11: .local .align 4 .b8
; L11: .reg .b32 %r<10>;
; L11-NEXT: .reg .b64 %rd<2>;
; L11-NOT: .reg
; L11: ret;

; L8-LABEL: .visible .entry ten(
; L8: .local .align 4 .b8
; L8: .reg .b32 %r<7>;
; L8-NEXT: .reg .b64 %rd<2>;
; L8-NOT: .reg
; L8: ret;

; L5-LABEL: .visible .entry ten(
; L5: .local .align 4 .b8
; L5: .reg .b32 %r<4>;
; L5-NEXT: .reg .b64 %rd<2>;
; L5-NOT: .reg
; L5: ret;

; L4-LABEL: .visible .entry ten(
; L4: .local .align 4 .b8
; L4: .reg .b32 %r<3>;
; L4-NEXT: .reg .b64 %rd<2>;
; L4-NOT: .reg
; L4: ret;

; L3-LABEL: .visible .entry ten(
; L3: .local .align 4 .b8
; L3: .reg .b32 %r<3>;
; L3-NEXT: .reg .b64 %rd<2>;
; L3-NOT: .reg
; L3: ret;

; S255: function=ten used.R=12 maxlive.R=12 budget.R=255 spilled=0 stores=0 reloads=0
; S64: function=ten used.R=12 maxlive.R=12 budget.R=64 spilled=0 stores=0 reloads=0
; S12: function=ten used.R=12 maxlive.R=12 budget.R=12 spilled=0 stores=0 reloads=0
; S11: function=ten used.R=11 maxlive.R=11 budget.R=11 spilled={{[1-9]}}
; S8: function=ten used.R=8 maxlive.R=8 budget.R=8 spilled={{[1-9]}}
; S5: function=ten used.R=5 maxlive.R=5 budget.R=5 spilled={{[1-9]}}
; S4: function=ten used.R=4 maxlive.R=4 budget.R=4 spilled={{[1-9]}}
; S3: function=ten used.R=3 maxlive.R=3 budget.R=3 spilled={{[1-9]}}
define ptx_kernel void @ten(ptr addrspace(1) %p) {
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
  ret void
}
