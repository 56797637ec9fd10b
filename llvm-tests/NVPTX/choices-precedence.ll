; What a function says itself counts before the choices file, the choices file before the
; command line, and in the file what is for the processor before what is for any.

; RUN: split-file %s %t
; RUN: %gpu_plain -nvptx-regalloc-pressure-limit=64 -print-regalloc-stats %t/k.ll -o %t/none.ptx 2>&1 | %FileCheck %s --check-prefix=NONE
; RUN: %gpu_plain -nvptx-regalloc-pressure-limit=64 -print-regalloc-stats -warpalloc-choices=%t/c.json %t/k.ll -o %t/file.ptx 2>&1 | %FileCheck %s --check-prefix=FILE
; RUN: %gpu_auto -mcpu=sm_80 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=64 -print-regalloc-stats -warpalloc-choices=%t/c.json %t/k.ll -o %t/other.ptx 2>&1 | %FileCheck %s --check-prefix=OTHER
; RUN: %gpu_plain -print-regalloc-stats -warpalloc-choices=%t/c.json %t/k.ll -o %t/free.ptx 2>&1 | %FileCheck %s --check-prefix=FREE

; NONE:  function=plain {{.*}}budget.R=64 
; NONE:  function=own {{.*}}budget.R=72 
; NONE:  function=other {{.*}}budget.R=64 
; FILE:  function=plain {{.*}}budget.R=48 
; FILE:  function=own {{.*}}budget.R=72 
; FILE:  function=other {{.*}}budget.R=64 
; OTHER: function=plain {{.*}}budget.R=40 
; OTHER: function=own {{.*}}budget.R=72 
; OTHER: function=other {{.*}}budget.R=64 
; FREE:  function=plain {{.*}}budget.R=48 
; FREE:  function=own {{.*}}budget.R=72 
; FREE:  function=other {{.*}}budget.R=255 

; In lists each name counts by itself: what all functions leave out, one can have back.
; RUN: %gpu_plain -warpalloc-disable=split,remat -warpalloc-choices=%t/lists.json -warpalloc-dump=%t/dump %t/k.ll -o %t/lists.ptx
; RUN: grep -E '^settings' %t/dump/other.warp | %FileCheck %s --check-prefix=LEFT
; RUN: grep -E '^settings' %t/dump/plain.warp | %FileCheck %s --check-prefix=BACK

; LEFT: "disabled":["Rematerialise","Split","Tuples","TakeBack","EarlyReloads"]
; BACK: "disabled":["Rematerialise","Tuples","Reorder","TakeBack","EarlyReloads"]

;--- c.json
{"version": 1, "choices": [
  {"function": "plain", "options": {"pressure-limit": 40}},
  {"function": "plain", "sm": "sm_90", "options": {"pressure-limit": 48}},
  {"function": "own", "options": {"pressure-limit": 56}, "reason": "none", "alternatives": [1]},
  {"function": "other", "sm": "sm_100a", "options": {"pressure-limit": 32}}
]}
;--- lists.json
{"version": 1, "choices": [
  {"function": "plain", "options": {"enable": ["split"], "disable": "reorder"}}
]}
;--- k.ll
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @plain(ptr addrspace(1) %p) {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @own(ptr addrspace(1) %p) "nvptx-regalloc-pressure-limit"="72" {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @other(ptr addrspace(1) %p) {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}
