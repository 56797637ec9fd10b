; Who spills is chosen for each function. What fits, or nearly fits, is stock's program, byte
; for byte; what needs far more registers than there are is allocated here; what cannot be
; allocated goes to ptxas with a remark, and is an error only where it is to be spilled here.

; RUN: %llc_stock -mcpu=sm_90 %s -o %t.stock.ptx
; RUN: %gpu_auto -mcpu=sm_90 -print-regalloc-stats %s -o %t.free.ptx 2>&1 | %FileCheck %s --check-prefix=FREE
; RUN: cmp %t.stock.ptx %t.free.ptx
; RUN: %gpu_auto -mcpu=sm_90 -nvptx-regalloc-pressure-limit=30 -warpalloc-hand-off=0 %s -o %t.near.ptx
; RUN: cmp %t.stock.ptx %t.near.ptx
; RUN: %gpu_auto -mcpu=sm_90 -nvptx-regalloc-pressure-limit=30 %s -o - | %FileCheck %s --check-prefix=HANDED

; FREE: warpalloc: function=sums {{.*}}used.R=[[LIVE:[0-9]+]] maxlive.R=[[LIVE]] budget.R=255 {{.*}}spilled=0 {{.*}}spills=ptxas

; HANDED: .maxnreg 30
; HANDED: .reg .b32 %r<33>

; RUN: %gpu_auto -mcpu=sm_90 -nvptx-regalloc-pressure-limit=12 -print-regalloc-stats %s -o %t.here.ptx 2>&1 | %FileCheck %s --check-prefix=HERE
; RUN: %FileCheck %s --check-prefix=DEPOT < %t.here.ptx

; HERE: warpalloc: function=sums {{.*}}stores={{[1-9]}}
; HERE-NOT: spills=ptxas
; DEPOT: .local {{.*}}__local_depot

; What launch bounds ask for alone is for ptxas to do.
; RUN: sed 's/) {/) "nvvm.maxnreg"="12" {/' %s >%t.bounded.ll
; RUN: %llc_stock -mcpu=sm_90 %t.bounded.ll -o %t.stock.ptx
; RUN: %gpu_auto -mcpu=sm_90 -print-regalloc-stats %t.bounded.ll -o %t.bounded.ptx 2>&1 | %FileCheck %s --check-prefix=BOUNDED
; RUN: cmp %t.stock.ptx %t.bounded.ptx

; BOUNDED: warpalloc: function=sums {{.*}}budget.R=12 {{.*}}spills=ptxas

; RUN: %gpu_auto -mcpu=sm_90 -warpalloc-spills=ptxas -nvptx-regalloc-pressure-limit=12 -print-regalloc-stats %s -o %t.ptxas.ptx 2>&1 | %FileCheck %s --check-prefix=PTXAS
; RUN: %FileCheck %s --check-prefix=NODEPOT < %t.ptxas.ptx

; PTXAS: warpalloc: function=sums {{.*}}stores=0 {{.*}}spills=ptxas
; NODEPOT-NOT: local_depot

; RUN: %gpu_auto -mcpu=sm_90 -nvptx-regalloc-pressure-limit=2 -pass-remarks-missed=warpalloc %s -o %t.least.ptx 2>&1 | %FileCheck %s --check-prefix=LEFT
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=2 %s -o %t.no.ptx 2>&1 | %FileCheck %s --check-prefix=ERROR

; LEFT: remark: <unknown>:0:0: 'sums' is left to ptxas as it is: the R budget of 2 registers is too small
; ERROR: error: warpalloc: in function 'sums': the R budget of 2 registers is too small

; RUN: %not %gpu_auto -mcpu=sm_90 -warpalloc-spills=there %s -o %t.bad.ptx 2>&1 | %FileCheck %s --check-prefix=BAD
; BAD: -warpalloc-spills: unknown way to spill 'there'; it can be one of: auto, here, ptxas

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @sums(ptr addrspace(1) %p) {
  %a0 = getelementptr i32, ptr addrspace(1) %p, i64 0
  %x0 = load volatile i32, ptr addrspace(1) %a0
  %a1 = getelementptr i32, ptr addrspace(1) %p, i64 1
  %x1 = load volatile i32, ptr addrspace(1) %a1
  %a2 = getelementptr i32, ptr addrspace(1) %p, i64 2
  %x2 = load volatile i32, ptr addrspace(1) %a2
  %a3 = getelementptr i32, ptr addrspace(1) %p, i64 3
  %x3 = load volatile i32, ptr addrspace(1) %a3
  %a4 = getelementptr i32, ptr addrspace(1) %p, i64 4
  %x4 = load volatile i32, ptr addrspace(1) %a4
  %a5 = getelementptr i32, ptr addrspace(1) %p, i64 5
  %x5 = load volatile i32, ptr addrspace(1) %a5
  %a6 = getelementptr i32, ptr addrspace(1) %p, i64 6
  %x6 = load volatile i32, ptr addrspace(1) %a6
  %a7 = getelementptr i32, ptr addrspace(1) %p, i64 7
  %x7 = load volatile i32, ptr addrspace(1) %a7
  %a8 = getelementptr i32, ptr addrspace(1) %p, i64 8
  %x8 = load volatile i32, ptr addrspace(1) %a8
  %a9 = getelementptr i32, ptr addrspace(1) %p, i64 9
  %x9 = load volatile i32, ptr addrspace(1) %a9
  %a10 = getelementptr i32, ptr addrspace(1) %p, i64 10
  %x10 = load volatile i32, ptr addrspace(1) %a10
  %a11 = getelementptr i32, ptr addrspace(1) %p, i64 11
  %x11 = load volatile i32, ptr addrspace(1) %a11
  %a12 = getelementptr i32, ptr addrspace(1) %p, i64 12
  %x12 = load volatile i32, ptr addrspace(1) %a12
  %a13 = getelementptr i32, ptr addrspace(1) %p, i64 13
  %x13 = load volatile i32, ptr addrspace(1) %a13
  %a14 = getelementptr i32, ptr addrspace(1) %p, i64 14
  %x14 = load volatile i32, ptr addrspace(1) %a14
  %a15 = getelementptr i32, ptr addrspace(1) %p, i64 15
  %x15 = load volatile i32, ptr addrspace(1) %a15
  %a16 = getelementptr i32, ptr addrspace(1) %p, i64 16
  %x16 = load volatile i32, ptr addrspace(1) %a16
  %a17 = getelementptr i32, ptr addrspace(1) %p, i64 17
  %x17 = load volatile i32, ptr addrspace(1) %a17
  %a18 = getelementptr i32, ptr addrspace(1) %p, i64 18
  %x18 = load volatile i32, ptr addrspace(1) %a18
  %a19 = getelementptr i32, ptr addrspace(1) %p, i64 19
  %x19 = load volatile i32, ptr addrspace(1) %a19
  %a20 = getelementptr i32, ptr addrspace(1) %p, i64 20
  %x20 = load volatile i32, ptr addrspace(1) %a20
  %a21 = getelementptr i32, ptr addrspace(1) %p, i64 21
  %x21 = load volatile i32, ptr addrspace(1) %a21
  %a22 = getelementptr i32, ptr addrspace(1) %p, i64 22
  %x22 = load volatile i32, ptr addrspace(1) %a22
  %a23 = getelementptr i32, ptr addrspace(1) %p, i64 23
  %x23 = load volatile i32, ptr addrspace(1) %a23
  %a24 = getelementptr i32, ptr addrspace(1) %p, i64 24
  %x24 = load volatile i32, ptr addrspace(1) %a24
  %a25 = getelementptr i32, ptr addrspace(1) %p, i64 25
  %x25 = load volatile i32, ptr addrspace(1) %a25
  %a26 = getelementptr i32, ptr addrspace(1) %p, i64 26
  %x26 = load volatile i32, ptr addrspace(1) %a26
  %a27 = getelementptr i32, ptr addrspace(1) %p, i64 27
  %x27 = load volatile i32, ptr addrspace(1) %a27
  %a28 = getelementptr i32, ptr addrspace(1) %p, i64 28
  %x28 = load volatile i32, ptr addrspace(1) %a28
  %a29 = getelementptr i32, ptr addrspace(1) %p, i64 29
  %x29 = load volatile i32, ptr addrspace(1) %a29
  %a30 = getelementptr i32, ptr addrspace(1) %p, i64 30
  %x30 = load volatile i32, ptr addrspace(1) %a30
  %a31 = getelementptr i32, ptr addrspace(1) %p, i64 31
  %x31 = load volatile i32, ptr addrspace(1) %a31
  store volatile i32 %x0, ptr addrspace(1) %a31
  store volatile i32 %x1, ptr addrspace(1) %a30
  store volatile i32 %x2, ptr addrspace(1) %a29
  store volatile i32 %x3, ptr addrspace(1) %a28
  store volatile i32 %x4, ptr addrspace(1) %a27
  store volatile i32 %x5, ptr addrspace(1) %a26
  store volatile i32 %x6, ptr addrspace(1) %a25
  store volatile i32 %x7, ptr addrspace(1) %a24
  store volatile i32 %x8, ptr addrspace(1) %a23
  store volatile i32 %x9, ptr addrspace(1) %a22
  store volatile i32 %x10, ptr addrspace(1) %a21
  store volatile i32 %x11, ptr addrspace(1) %a20
  store volatile i32 %x12, ptr addrspace(1) %a19
  store volatile i32 %x13, ptr addrspace(1) %a18
  store volatile i32 %x14, ptr addrspace(1) %a17
  store volatile i32 %x15, ptr addrspace(1) %a16
  store volatile i32 %x16, ptr addrspace(1) %a15
  store volatile i32 %x17, ptr addrspace(1) %a14
  store volatile i32 %x18, ptr addrspace(1) %a13
  store volatile i32 %x19, ptr addrspace(1) %a12
  store volatile i32 %x20, ptr addrspace(1) %a11
  store volatile i32 %x21, ptr addrspace(1) %a10
  store volatile i32 %x22, ptr addrspace(1) %a9
  store volatile i32 %x23, ptr addrspace(1) %a8
  store volatile i32 %x24, ptr addrspace(1) %a7
  store volatile i32 %x25, ptr addrspace(1) %a6
  store volatile i32 %x26, ptr addrspace(1) %a5
  store volatile i32 %x27, ptr addrspace(1) %a4
  store volatile i32 %x28, ptr addrspace(1) %a3
  store volatile i32 %x29, ptr addrspace(1) %a2
  store volatile i32 %x30, ptr addrspace(1) %a1
  store volatile i32 %x31, ptr addrspace(1) %a0
  ret void
}
