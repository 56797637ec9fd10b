; An instruction of inline assembly with twelve operands of 32 bits that are read at
; once, and a result that may be in the place of one, needs twelve registers: eleven are an
; error.
; RUN: rm -f %t.ptx
; RUN: %not %gpu -mcpu=sm_80 -nvptx-regalloc-pressure-limit=11 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=ERROR
; RUN: %not test -f %t.ptx
; RUN: %gpu -mcpu=sm_80 -nvptx-regalloc-pressure-limit=12 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: %FileCheck %s <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}

; ERROR: error: warpalloc: in function 'wide': the R budget of 11 registers is too small: instruction {{[0-9]+}} alone needs 12
; STATS: function=wide used.R=12 maxlive.R=12 budget.R=12

target triple = "nvptx64-nvidia-cuda"

; CHECK:      begin inline asm
; CHECK-NEXT: mov.b32 [[R:%r[0-9]+]], %r{{[0-9]+}}; // [[R]] = {{(%r[0-9]+ ){11}%r[0-9]+}}
define ptx_kernel void @wide(ptr addrspace(1) %p) {
  %v0 = load volatile i32, ptr addrspace(1) %p
  %v1 = load volatile i32, ptr addrspace(1) %p
  %v2 = load volatile i32, ptr addrspace(1) %p
  %v3 = load volatile i32, ptr addrspace(1) %p
  %v4 = load volatile i32, ptr addrspace(1) %p
  %v5 = load volatile i32, ptr addrspace(1) %p
  %v6 = load volatile i32, ptr addrspace(1) %p
  %v7 = load volatile i32, ptr addrspace(1) %p
  %v8 = load volatile i32, ptr addrspace(1) %p
  %v9 = load volatile i32, ptr addrspace(1) %p
  %v10 = load volatile i32, ptr addrspace(1) %p
  %v11 = load volatile i32, ptr addrspace(1) %p
  %r = call i32 asm sideeffect "mov.b32 $0, $12; // $0 = $1 $2 $3 $4 $5 $6 $7 $8 $9 $10 $11 $12", "=r,r,r,r,r,r,r,r,r,r,r,r,r"(i32 %v0, i32 %v1, i32 %v2, i32 %v3, i32 %v4, i32 %v5, i32 %v6, i32 %v7, i32 %v8, i32 %v9, i32 %v10, i32 %v11)
  store volatile i32 %r, ptr addrspace(1) %p
  ret void
}
