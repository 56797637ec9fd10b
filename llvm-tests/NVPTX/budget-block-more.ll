; A kernel that needs just more registers than a resident block more would leave it is
; made to fit where the spills are few beside what it executes, and ptxas is told: two
; blocks of 512 threads have 64 registers. Without the loop the spills are not worth it.
; The profiles of the documents do not weigh them, nor does a kernel that may not tell ptxas.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats -warpalloc-disable=block-more %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=KEPT
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats -warpalloc-hand-off=0 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=KEPT
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats -warpalloc-profile=ptxas %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=KEPT
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats -warpalloc-profile=cicc %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=KEPT
; RUN: %gpu -mcpu=sm_90 -pass-remarks-analysis=warpalloc %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=REMARK
; RUN: %if ptxas %{ %ptxas -v -arch=sm_90 -o %t.cubin %t.ptx 2>&1 | %FileCheck %s --check-prefix=PTXAS %}

; STATS:      function=long {{.*}}budget.R=64 {{.*}}spilled={{[1-9][0-9]*}} {{.*}}warps=32 occupancy=50
; STATS-NEXT: function=short {{.*}}budget.R=128 {{.*}}spilled=0
; KEPT:       function=long {{.*}}budget.R=128 {{.*}}spilled=0
; CHECK-LABEL: .entry long(
; CHECK:         .maxntid 512
; CHECK-NEXT:    .maxnreg 64
; CHECK-LABEL: .entry short(
; CHECK-NOT:     .maxnreg
; REMARK:     'long' {{.*}}its budget is 64, from 2 resident blocks with nvvm.maxntid=512, one more for a few spills
; PTXAS:      Compiling entry function 'long'
; PTXAS:      Used 64 registers

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @long(ptr addrspace(1) %p, i32 %n) "nvvm.maxntid"="512" {
entry:
  %v0 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v1 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v2 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v3 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v4 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v5 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v6 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v7 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v8 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v9 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v10 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v11 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v12 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v13 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v14 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v15 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v16 = load volatile <4 x i32>, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit, !prof !0
exit:
  store volatile <4 x i32> %v0, ptr addrspace(1) %p
  store volatile <4 x i32> %v1, ptr addrspace(1) %p
  store volatile <4 x i32> %v2, ptr addrspace(1) %p
  store volatile <4 x i32> %v3, ptr addrspace(1) %p
  store volatile <4 x i32> %v4, ptr addrspace(1) %p
  store volatile <4 x i32> %v5, ptr addrspace(1) %p
  store volatile <4 x i32> %v6, ptr addrspace(1) %p
  store volatile <4 x i32> %v7, ptr addrspace(1) %p
  store volatile <4 x i32> %v8, ptr addrspace(1) %p
  store volatile <4 x i32> %v9, ptr addrspace(1) %p
  store volatile <4 x i32> %v10, ptr addrspace(1) %p
  store volatile <4 x i32> %v11, ptr addrspace(1) %p
  store volatile <4 x i32> %v12, ptr addrspace(1) %p
  store volatile <4 x i32> %v13, ptr addrspace(1) %p
  store volatile <4 x i32> %v14, ptr addrspace(1) %p
  store volatile <4 x i32> %v15, ptr addrspace(1) %p
  store volatile <4 x i32> %v16, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @short(ptr addrspace(1) %p, i32 %n) "nvvm.maxntid"="512" {
entry:
  %v0 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v1 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v2 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v3 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v4 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v5 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v6 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v7 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v8 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v9 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v10 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v11 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v12 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v13 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v14 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v15 = load volatile <4 x i32>, ptr addrspace(1) %p
  %v16 = load volatile <4 x i32>, ptr addrspace(1) %p
  store volatile <4 x i32> %v0, ptr addrspace(1) %p
  store volatile <4 x i32> %v1, ptr addrspace(1) %p
  store volatile <4 x i32> %v2, ptr addrspace(1) %p
  store volatile <4 x i32> %v3, ptr addrspace(1) %p
  store volatile <4 x i32> %v4, ptr addrspace(1) %p
  store volatile <4 x i32> %v5, ptr addrspace(1) %p
  store volatile <4 x i32> %v6, ptr addrspace(1) %p
  store volatile <4 x i32> %v7, ptr addrspace(1) %p
  store volatile <4 x i32> %v8, ptr addrspace(1) %p
  store volatile <4 x i32> %v9, ptr addrspace(1) %p
  store volatile <4 x i32> %v10, ptr addrspace(1) %p
  store volatile <4 x i32> %v11, ptr addrspace(1) %p
  store volatile <4 x i32> %v12, ptr addrspace(1) %p
  store volatile <4 x i32> %v13, ptr addrspace(1) %p
  store volatile <4 x i32> %v14, ptr addrspace(1) %p
  store volatile <4 x i32> %v15, ptr addrspace(1) %p
  store volatile <4 x i32> %v16, ptr addrspace(1) %p
  ret void
}

!0 = !{!"branch_weights", i32 1000, i32 1}
