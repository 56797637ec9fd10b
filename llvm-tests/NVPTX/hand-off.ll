; A budget that the command line asks for is written to kernels as .maxnreg, so that
; ptxas keeps it, but not below the 24 registers that it gives anyway. What a kernel says
; of itself stays; functions that are called have no such directive.
; -warpalloc-hand-off=0 leaves all as it is.
; RUN: %gpu -mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=40 %s -o %t.40.ptx
; RUN: %FileCheck %s --check-prefixes=ALL,LIMIT <%t.40.ptx
; RUN: %gpu -mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=8 %s -o - | %FileCheck %s --check-prefixes=ALL,LOW
; RUN: %gpu -mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-occupancy-target=50 %s -o - | %FileCheck %s --check-prefixes=ALL,TARGET
; RUN: %gpu -mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=40 -warpalloc-hand-off=0 %s -o - | %FileCheck %s --check-prefixes=ALL,NONE
; RUN: %gpu -mcpu=sm_90 -mattr=+ptx88 %s -o - | %FileCheck %s --check-prefixes=ALL,NONE
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -v -o %t.cubin %t.40.ptx 2>&1 | %FileCheck %s --check-prefix=PTXAS %}

target triple = "nvptx64-nvidia-cuda"

; PTXAS-NOT:   warning
; ALL-LABEL:   .entry free(
; NONE-NOT:    .maxnreg
; LIMIT:       .maxnreg 40
; LOW:         .maxnreg 24
; TARGET:      .maxnreg 64
; ALL:         {
define ptx_kernel void @free(ptr addrspace(1) %p) {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

; ALL-LABEL:   .entry low(
; NONE:        .maxnreg 30
; LIMIT:       .maxnreg 30
; TARGET:      .maxnreg 30
; LOW:         .maxnreg 24
; ALL:         {
define ptx_kernel void @low(ptr addrspace(1) %p) "nvvm.maxnreg"="30" {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

; ALL-LABEL:   .entry bounded(
; ALL-DAG:     .maxntid 256
; ALL-DAG:     .minnctapersm 2
; NONE-NOT:    .maxnreg
; LIMIT:       .maxnreg 40
; ALL:         {
define ptx_kernel void @bounded(ptr addrspace(1) %p) "nvvm.maxntid"="256" "nvvm.minctasm"="2" {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

; ALL-LABEL:   .func device(
; ALL-NOT:     .maxnreg
define void @device(ptr addrspace(1) %p) {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

; What other modules define ptxas compiles by itself, and the linker refuses a kernel that is held
; to fewer registers than what it calls; so kernels that call anything are not, where the module
; calls what others define. What CUDA's system has is no such function.
; RUN: sed 's/^;LINKED //' %s >%t.linked.ll
; RUN: %gpu -mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=40 %t.linked.ll -o %t.linked.ptx
; RUN: %FileCheck %s --check-prefix=LINKED <%t.linked.ptx
; RUN: %if ptxas %{ %ptxas -c -arch=sm_90 -o %t.cubin %t.linked.ptx %}

; LINKED-LABEL: .entry free(
; LINKED:       .maxnreg 40
; LINKED-LABEL: .entry prints(
; LINKED:       .maxnreg 40
; LINKED-LABEL: .entry calls(
; LINKED-NOT:   .maxnreg
; LINKED:       {
; LINKED-LABEL: .entry calls_own(
; LINKED-NOT:   .maxnreg
; LINKED:       {
;LINKED declare i32 @vprintf(ptr, ptr)
;LINKED declare void @elsewhere(ptr addrspace(1))
;LINKED define ptx_kernel void @prints(ptr %p) {
;LINKED   call i32 @vprintf(ptr %p, ptr null)
;LINKED   ret void
;LINKED }
;LINKED define ptx_kernel void @calls(ptr addrspace(1) %p) {
;LINKED   call void @elsewhere(ptr addrspace(1) %p)
;LINKED   ret void
;LINKED }
;LINKED define ptx_kernel void @calls_own(ptr addrspace(1) %p) {
;LINKED   call void @device(ptr addrspace(1) %p)
;LINKED   ret void
;LINKED }
