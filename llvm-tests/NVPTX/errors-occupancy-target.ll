; An occupancy target that is no percentage, that the block size makes impossible, or
; that leaves an instruction too few registers is an error: exit code 1, nothing written.
; A target makes as few registers as full occupancy leaves, so three vectors are loaded
; by one instruction of inline assembly.
; RUN: rm -f %t.ptx
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-occupancy-target=0 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=ZERO
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-occupancy-target=101 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=LARGE
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-occupancy-target=-5 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=NEGATIVE
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-occupancy-target=high %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=WORD
; RUN: %not %gpu -mcpu=sm_86 -nvptx-regalloc-occupancy-target=75 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=BLOCK
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-occupancy-target=100 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=WIDE
; RUN: %not test -f %t.ptx
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-occupancy-target=75 %s -o %t.ptx
; RUN: test -f %t.ptx
; Where it is left open who spills, such a kernel is left to ptxas with a remark, and the
; others have what is asked for.
; RUN: %gpu_auto -mcpu=sm_86 -nvptx-regalloc-occupancy-target=75 -pass-remarks-missed=warpalloc %s -o - 2>&1 | %FileCheck %s --check-prefix=LEFT

; LEFT: remark: {{.*}}'largest' is left to ptxas as it is: -nvptx-regalloc-occupancy-target=75 cannot be met with nvvm.maxntid=1024: sm_86 reaches at most 66 percent
; LEFT-LABEL: .entry largest(
; LEFT-NOT: .maxnreg
; LEFT-LABEL: .entry wide(
; LEFT: .maxnreg 48
; ZERO:     error: warpalloc: in function 'largest': -nvptx-regalloc-occupancy-target=0 is not a percentage between 1 and 100
; LARGE:    error: warpalloc: in function 'largest': -nvptx-regalloc-occupancy-target=101 is not a percentage between 1 and 100
; NEGATIVE: error: warpalloc: in function 'largest': -nvptx-regalloc-occupancy-target=-5 is not a percentage between 1 and 100
; WORD:     error: warpalloc: in function 'largest': -nvptx-regalloc-occupancy-target=high is not a percentage between 1 and 100
; BLOCK:    error: warpalloc: in function 'largest': -nvptx-regalloc-occupancy-target=75 cannot be met with nvvm.maxntid=1024: sm_86 reaches at most 66 percent
; WIDE:     error: warpalloc: in function 'wide': the R budget of 32 registers is too small: instruction {{[0-9]+}} alone needs 34; the budget comes from -nvptx-regalloc-occupancy-target=100 with blocks of 256 threads

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @largest(ptr addrspace(1) %p) "nvvm.maxntid"="1024" {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @wide(i64 %a) {
  call void asm sideeffect "// $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10 $11 $12 $13 $14 $15 $16", "l,l,l,l,l,l,l,l,l,l,l,l,l,l,l,l,l"(i64 %a, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16)
  ret void
}
