; Launch bounds that cannot be met are errors that name both sides: exit code 1, nothing
; written. More resident blocks than the SM holds of that size; as many as leave an
; instruction too few registers; fewer registers than one needs.
; RUN: rm -f %t.ptx
; RUN: split-file %s %t
; RUN: %not %gpu -mcpu=sm_90 %t/blocks.ll -o %t.ptx 2>&1 | %FileCheck %t/blocks.ll
; RUN: %not %gpu -mcpu=sm_90 %t/wide.ll -o %t.ptx 2>&1 | %FileCheck %t/wide.ll
; RUN: %not %gpu -mcpu=sm_90 %t/maxnreg.ll -o %t.ptx 2>&1 | %FileCheck %t/maxnreg.ll
; RUN: %not test -f %t.ptx

;--- blocks.ll
; CHECK: error: warpalloc: in function 'k': nvvm.minctasm=9 cannot be met with nvvm.maxntid=256: sm_90 holds at most 8 such blocks
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p) "nvvm.maxntid"="256" "nvvm.minctasm"="9" {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

;--- wide.ll
; CHECK: error: warpalloc: in function 'k': the R budget of 32 registers is too small: instruction {{[0-9]+}} alone needs 34; the budget comes from nvvm.minctasm=16 with nvvm.reqntid=128
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(i64 %a) "nvvm.reqntid"="128" "nvvm.minctasm"="16" {
  call void asm sideeffect "// $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10 $11 $12 $13 $14 $15 $16", "l,l,l,l,l,l,l,l,l,l,l,l,l,l,l,l,l"(i64 %a, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16)
  ret void
}

;--- maxnreg.ll
; CHECK: error: warpalloc: in function 'k': the R budget of 2 registers is too small: instruction {{[0-9]+}} alone needs 3; the budget comes from nvvm.maxnreg=2
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p) "nvvm.maxnreg"="2" {
  %x = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}
