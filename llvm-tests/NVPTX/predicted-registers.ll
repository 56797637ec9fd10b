; regs= of -print-regalloc-stats: what ptxas is predicted to report. A kernel that does
; nothing has the registers that ptxas always takes; a division has more, for its
; subroutine; constants and parameters have none; a budget is not exceeded, as far as ptxas
; keeps it: no bound below 24.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o /dev/null 2>%t.stats
; RUN: %FileCheck %s <%t.stats
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=8 -print-regalloc-stats %s -o /dev/null 2>%t.stats
; RUN: %FileCheck %s --check-prefix=LIMIT <%t.stats

target triple = "nvptx64-nvidia-cuda"

; CHECK: function=nothing {{.*}}regs=4{{ }}
define ptx_kernel void @nothing(ptr addrspace(1) %p) {
  ret void
}

; CHECK: function=product {{.*}}regs=[[#PRODUCT:]]{{ }}
define ptx_kernel void @product(ptr addrspace(1) %p, double %x) {
  %y = load double, ptr addrspace(1) %p
  %z = fmul double %y, %x
  store double %z, ptr addrspace(1) %p
  ret void
}

; CHECK: function=quotient {{.*}}regs=[[#PRODUCT + 18]]{{ }}
; LIMIT: function=quotient {{.*}}regs=24{{ }}
define ptx_kernel void @quotient(ptr addrspace(1) %p, double %x) {
  %y = load double, ptr addrspace(1) %p
  %z = fdiv double %y, %x
  store double %z, ptr addrspace(1) %p
  ret void
}
