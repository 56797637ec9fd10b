; Where the budget comes from: each bound alone, and what holds when there are several.
; The lowest does; a block of known size fits, and loses no resident one against what is
; live at once.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=PLAIN
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=50 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=LIMIT
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-occupancy-target=50 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=HALF
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-occupancy-target -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=ALONE
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-occupancy-target=50 -nvptx-regalloc-pressure-limit=30 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=BOTH
; RUN: %gpu -mcpu=sm_90 -warpalloc-knob=633=45,632=44 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=KNOBS
; RUN: env WARPALLOC_LOG=debug %gpu -mcpu=sm_90 -nvptx-regalloc-occupancy-target=50 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=LOG

; PLAIN:      function=none {{.*}}budget.R=255 {{.*}} regs={{[0-9]+}} warps=64 occupancy=100
; PLAIN-NEXT: function=maxnreg {{.*}}budget.R=40
; PLAIN-NEXT: function=minctasm {{.*}}budget.R=64
; A kernel that needs few registers may have what full occupancy leaves it.
; PLAIN-NEXT: function=maxntid {{.*}}budget.R=32
; PLAIN-NEXT: function=reqntid {{.*}}budget.R=80
; As in PTX, a number of blocks says nothing without their size.
; PLAIN-NEXT: function=no_size {{.*}}budget.R=255
; 1024 threads with 64 registers are all that an SM has.
; PLAIN-NEXT: function=largest {{.*}}budget.R=64 {{.*}}warps=32 occupancy=50
; PLAIN-NEXT: function=metadata {{.*}}budget.R=48
; PLAIN-NEXT: function=device {{.*}}budget.R=255

; LIMIT:      function=none {{.*}}budget.R=50
; LIMIT-NEXT: function=maxnreg {{.*}}budget.R=40
; LIMIT-NEXT: function=minctasm {{.*}}budget.R=50
; LIMIT-NEXT: function=maxntid {{.*}}budget.R=50
; LIMIT-NEXT: function=reqntid {{.*}}budget.R=50
; LIMIT-NEXT: function=no_size {{.*}}budget.R=50
; LIMIT-NEXT: function=largest {{.*}}budget.R=50

; HALF:       function=none {{.*}}budget.R=64
; HALF-NEXT:  function=maxnreg {{.*}}budget.R=40
; HALF-NEXT:  function=minctasm {{.*}}budget.R=64
; HALF-NEXT:  function=maxntid {{.*}}budget.R=64
; HALF-NEXT:  function=reqntid {{.*}}budget.R=56
; HALF-NEXT:  function=no_size {{.*}}budget.R=64
; HALF-NEXT:  function=largest {{.*}}budget.R=64

; ALONE:      function=none {{.*}}budget.R=40
; BOTH:       function=none {{.*}}budget.R=30
; KNOBS:      function=none {{.*}}budget.R=44
; LOG:        chose a budget function="none" registers=64 reason="-nvptx-regalloc-occupancy-target=50 with blocks of 256 threads"
; LOG:        chose a budget function="reqntid" registers=56 reason="-nvptx-regalloc-occupancy-target=50 with nvvm.reqntid=96"

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @none(ptr addrspace(1) %p) {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @maxnreg(ptr addrspace(1) %p) "nvvm.maxnreg"="40" {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @minctasm(ptr addrspace(1) %p) "nvvm.maxntid"="256" "nvvm.minctasm"="4" {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @maxntid(ptr addrspace(1) %p) "nvvm.maxntid"="16,16,1" {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

; The size that is required goes before the largest: seven blocks of three warps.
define ptx_kernel void @reqntid(ptr addrspace(1) %p) "nvvm.reqntid"="96" "nvvm.maxntid"="1024" "nvvm.minctasm"="7" {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @no_size(ptr addrspace(1) %p) "nvvm.minctasm"="4" {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @largest(ptr addrspace(1) %p) "nvvm.maxntid"="1024" {
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
  ret void
}

define ptx_kernel void @metadata(ptr addrspace(1) %p) {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

define void @device(ptr addrspace(1) %p) {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @metadata, !"maxnreg", i32 48}
