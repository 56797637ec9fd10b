; The passes over IR run on the functions that ask for them, or leave out those that do not
; want them. A function that is to be stock's is left out unless it asks.

; RUN: split-file %s %t
; RUN: %llc_stock -mcpu=sm_90 %t/k.ll -o - | %FileCheck %s --check-prefix=NONE
; RUN: %llc -mcpu=sm_90 -warpalloc-prepare %t/k.ll -o - | %FileCheck %s --check-prefix=BOTH
; RUN: %gpu_plain -warpalloc-prepare %t/k.ll -o - | %FileCheck %s --check-prefix=BOTH
; RUN: %gpu_plain -warpalloc-choices=%t/first.json %t/k.ll -o - | %FileCheck %s --check-prefix=FIRST
; RUN: %gpu_plain -warpalloc-prepare -warpalloc-choices=%t/second.json %t/k.ll -o - | %FileCheck %s --check-prefix=FIRST
; RUN: %llc -mcpu=sm_90 -warpalloc-prepare -warpalloc-choices=%t/second.json %t/k.ll -o - | %FileCheck %s --check-prefix=FIRST
; RUN: sed '/@first/s/{/"warpalloc-prepare" {/' %t/k.ll >%t/first.ll
; RUN: %gpu_plain %t/first.ll -o - | %FileCheck %s --check-prefix=FIRST
; RUN: sed '/@second/s/{/"warpalloc-prepare"="false" {/' %t/k.ll >%t/second.ll
; RUN: %gpu_plain -warpalloc-prepare %t/second.ll -o - | %FileCheck %s --check-prefix=FIRST
; RUN: %opt -passes='warpalloc<sm_90>' -S %t/second.ll | %FileCheck %s --check-prefix=IR
; RUN: sed '/@first/s/{/"warpalloc-prepare" "warpalloc-stock" {/' %t/k.ll >%t/stock.ll
; RUN: %gpu_plain %t/stock.ll -o - | %FileCheck %s --check-prefix=FIRST
; RUN: sed '/@second/s/{/"warpalloc-stock" {/' %t/k.ll >%t/kept.ll
; RUN: %gpu_plain -warpalloc-prepare %t/kept.ll -o - | %FileCheck %s --check-prefix=FIRST

; NONE:      .entry first
; NONE:      st.local
; NONE:      .entry second
; NONE:      st.local
; BOTH-NOT:  st.local
; FIRST:     .entry first
; FIRST-NOT: st.local
; FIRST:     .entry second
; FIRST:     st.local
; IR:        @first
; IR-NOT:    alloca
; IR:        @second
; IR:        alloca
; IR-NOT:    warpalloc-unprepared

;--- first.json
{"version": 1, "choices": [{"function": "first", "options": {"prepare": true}}]}
;--- second.json
{"version": 1, "choices": [{"function": "second", "options": {"prepare": false}}]}
;--- k.ll
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

define ptx_kernel void @first(ptr addrspace(1) %p) {
entry:
  %array = alloca [4 x i32]
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr [4 x i32], ptr %array, i32 0, i32 %i
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %x = load volatile i32, ptr addrspace(1) %from
  store i32 %x, ptr %at
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 4
  br i1 %again, label %loop, label %end

end:
  %last = getelementptr [4 x i32], ptr %array, i32 0, i32 2
  %y = load i32, ptr %last
  store volatile i32 %y, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @second(ptr addrspace(1) %p) {
entry:
  %array = alloca [4 x i32]
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr [4 x i32], ptr %array, i32 0, i32 %i
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %x = load volatile i32, ptr addrspace(1) %from
  store i32 %x, ptr %at
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 4
  br i1 %again, label %loop, label %end

end:
  %last = getelementptr [4 x i32], ptr %array, i32 0, i32 2
  %y = load i32, ptr %last
  store volatile i32 %y, ptr addrspace(1) %p
  ret void
}
