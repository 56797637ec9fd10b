; Gates in front of promotion: each says no by its number, and by default none does.
; RUN: %opt -passes=warpalloc-promote -verify-each -S %s | %FileCheck %s --check-prefix=ALL
; RUN: %opt -passes=warpalloc -warpalloc-knob=PromotionMode=2 -S %s | %FileCheck %s --check-prefix=NONE
; RUN: %opt -passes=warpalloc-promote -warpalloc-knob=PromotionMode=2 -pass-remarks-missed=warpalloc-promote -disable-output %s 2>&1 | %FileCheck %s --check-prefix=MODE
; RUN: %opt -passes=warpalloc-promote -warpalloc-knob=PromotionMode=1 -S %s | %FileCheck %s --check-prefix=ALL
; RUN: %opt -passes=warpalloc-promote -warpalloc-knob=PromotionMode=1,PromotionBudget=0 -pass-remarks-missed=warpalloc-promote -S %s 2>&1 | %FileCheck %s --check-prefix=ZERO
; RUN: %opt -passes=warpalloc-promote -warpalloc-knob=PromotionMode=1,PromotionBudget=2 -pass-remarks-missed=warpalloc-promote -S %s 2>&1 | %FileCheck %s --check-prefix=SIZE
; RUN: %opt -passes=warpalloc-promote -warpalloc-knob=PromotionMode=1,PromotionBudget=1 -warpalloc-spill-space=shared -pass-remarks-missed=warpalloc-promote -S %s 2>&1 | %FileCheck %s --check-prefix=SHARED
; The document's number, by which functions are counted, in the module's order.
; RUN: %opt -passes=warpalloc-promote -warpalloc-knob=487=0 -S %s | %FileCheck %s --check-prefix=NONE
; RUN: %opt -passes=warpalloc-promote -warpalloc-knob=NumOptPhasesBudget=1 -pass-remarks-missed=warpalloc-promote -S %s 2>&1 | %FileCheck %s --check-prefix=ONE
; RUN: %opt -passes=warpalloc-promote -warpalloc-knob=487=3 -S %s | %FileCheck %s --check-prefix=ALL
; The cap of 64 KB, of the operands of a function, where shared memory takes spills.
; RUN: sed -e '/^  ; 10,000/{s/.*/M/;s/M/MMMMMMMMMM/g;s/M/MMMMMMMMMM/g;s/M/MMMMMMMMMM/g;s/M/MMMMMMMMMM/g;s/M/  store volatile i64 1, ptr addrspace(1) %out\n/g}' %s >%t.large.ll
; RUN: %opt -passes=warpalloc-promote -S %t.large.ll | %FileCheck %s --check-prefixes=ALL,LARGE
; RUN: %opt -passes=warpalloc-promote -warpalloc-knob=619=1 -pass-remarks-missed=warpalloc-promote -S %t.large.ll 2>&1 | %FileCheck %s --check-prefix=CAP
; RUN: %opt -passes=warpalloc-promote -warpalloc-knob=619=1 -S %s | %FileCheck %s --check-prefixes=ALL,LARGE
; In llc as well, where no warning says that a knob has no effect.
; RUN: %llc -mcpu=sm_90 -warpalloc-prepare -warpalloc-knob=487=0 %s -o - 2>&1 | %FileCheck %s --check-prefix=PTX
; RUN: %not %opt -passes=warpalloc -warpalloc-knob=PromotionMode=no -disable-output %s 2>&1 | %FileCheck %s --check-prefix=WRONG

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; WRONG: -warpalloc-knob: knob PromotionMode takes an integer from 0 to 255, not 'no'
; PTX-NOT: warning
; PTX: .entry first(
; PTX: .local

; MODE-COUNT-3: local variables stay in memory: knob PromotionMode is 2, which lets no function through
; MODE-NOT: local variables stay
; ZERO-COUNT-3: local variables stay in memory: knob PromotionBudget is 0
; SIZE-COUNT-1: local variables stay in memory: knob PromotionBudget is 2, and the function is to be small
; SIZE-NOT: local variables stay
; SHARED-COUNT-1: local variables stay in memory: knob PromotionBudget is 1
; SHARED: local variables stay in memory: knob PromotionBudget is 1, and the function is to be small
; ONE-COUNT-2: local variables stay in memory: knob 487, NumOptPhasesBudget, has been used up by 1 functions
; CAP-COUNT-1: local variables stay in memory: its operands have more than 65536 bytes

; ALL-LABEL: define ptx_kernel void @first
; ALL-NOT: alloca
; ALL: ret void
; NONE-LABEL: define ptx_kernel void @first
; NONE: alloca
; ZERO-LABEL: define ptx_kernel void @first
; ZERO: alloca
; SIZE-LABEL: define ptx_kernel void @first
; SIZE-NOT: alloca
; SIZE: ret void
; SHARED-LABEL: define ptx_kernel void @first
; SHARED: alloca
; ONE-LABEL: define ptx_kernel void @first
; ONE-NOT: alloca
; ONE: ret void
; CAP-LABEL: define ptx_kernel void @first
; CAP-NOT: alloca
; CAP: ret void
define ptx_kernel void @first(i32 %i, i32 %x, ptr addrspace(1) %out) {
  %a = alloca [2 x i32]
  store i32 %x, ptr %a
  %from = getelementptr inbounds i32, ptr %a, i32 %i
  %y = load i32, ptr %from
  store i32 %y, ptr addrspace(1) %out
  ret void
}

; Nothing on the stack: it is not counted.
; ALL-LABEL: define ptx_kernel void @nothing
define ptx_kernel void @nothing(ptr addrspace(1) %out) {
  store i32 1, ptr addrspace(1) %out
  ret void
}

; ALL-LABEL: define ptx_kernel void @small
; ALL-NOT: alloca
; ALL: ret void
; NONE-LABEL: define ptx_kernel void @small
; NONE: alloca
; SIZE-LABEL: define ptx_kernel void @small
; SIZE: alloca
; ONE-LABEL: define ptx_kernel void @small
; ONE: alloca
; What the gates write for themselves goes away.
; NONE-NOT: warpalloc-not-promoted
define ptx_kernel void @small(i32 %i, i32 %x, ptr addrspace(1) %out) optsize {
  %a = alloca [2 x i32]
  store i32 %x, ptr %a
  %from = getelementptr inbounds i32, ptr %a, i32 %i
  %y = load i32, ptr %from
  store i32 %y, ptr addrspace(1) %out
  ret void
}

; LARGE-LABEL: define ptx_kernel void @large
; LARGE-NOT: alloca
; LARGE: ret void
; CAP-LABEL: define ptx_kernel void @large
; CAP: alloca
define ptx_kernel void @large(i32 %i, i32 %x, ptr addrspace(1) %out) {
  %a = alloca [2 x i32]
  store i32 %x, ptr %a
  %from = getelementptr inbounds i32, ptr %a, i32 %i
  %y = load i32, ptr %from
  store i32 %y, ptr addrspace(1) %out
  ; 10,000 stores
  ret void
}
