; Whoever gives the allocator a budget, and leaves open who spills, has arrays in registers
; without asking for it; whoever asks for nothing, or says how to spill, has not.
; RUN: %llc -mcpu=sm_90 -regalloc=warpalloc -nvptx-regalloc-pressure-limit=64 %s -o - | %FileCheck %s
; RUN: %llc -mcpu=sm_90 -regalloc=warpalloc -nvptx-regalloc-occupancy-target=50 %s -o - | %FileCheck %s
; RUN: %llc -mcpu=sm_90 -regalloc=warpalloc -warpalloc-prepare %s -o - | %FileCheck %s
; RUN: %llc -mcpu=sm_90 -warpalloc-prepare %s -o - | %FileCheck %s
; RUN: %clang --target=nvptx64-nvidia-cuda -march=sm_90 -nogpulib -mllvm -regalloc=warpalloc -mllvm -nvptx-regalloc-pressure-limit=64 -O1 -S -o - %s | %FileCheck %s
; RUN: %llc -mcpu=sm_90 -regalloc=warpalloc %s -o - | %FileCheck %s --check-prefix=LOCAL
; RUN: %llc -mcpu=sm_90 -nvptx-regalloc-pressure-limit=64 %s -o - | %FileCheck %s --check-prefix=LOCAL
; RUN: %llc -mcpu=sm_90 -regalloc=warpalloc -nvptx-regalloc-pressure-limit=64 -warpalloc-prepare=0 %s -o - | %FileCheck %s --check-prefix=LOCAL
; RUN: %llc -mcpu=sm_90 -regalloc=warpalloc -nvptx-regalloc-pressure-limit=64 -warpalloc-spills=here %s -o - | %FileCheck %s --check-prefix=LOCAL
; RUN: %llc -mcpu=sm_90 -regalloc=warpalloc -nvptx-regalloc-pressure-limit=64 -warpalloc-spills=ptxas %s -o - | %FileCheck %s --check-prefix=LOCAL
; RUN: %llc -mcpu=sm_90 -regalloc=warpalloc -nvptx-regalloc-pressure-limit=64 -warpalloc-profile=cicc %s -o - | %FileCheck %s --check-prefix=LOCAL
; The same for what a function says itself.
; RUN: sed 's/%out) {/%out) "nvptx-regalloc-pressure-limit"="64" {/' %s | %llc -mcpu=sm_90 -regalloc=warpalloc -o - | %FileCheck %s
; RUN: sed 's/%out) {/%out) "warpalloc-spills"="here" {/' %s | %llc -mcpu=sm_90 -regalloc=warpalloc -nvptx-regalloc-pressure-limit=64 -o - | %FileCheck %s --check-prefix=LOCAL
; RUN: sed 's/%out) {/%out) "warpalloc-stock"="true" {/' %s | %llc -mcpu=sm_90 -regalloc=warpalloc -nvptx-regalloc-pressure-limit=64 -o - | %FileCheck %s --check-prefix=LOCAL
; RUN: sed 's/%out) {/%out) "warpalloc-prepare"="false" {/' %s | %llc -mcpu=sm_90 -regalloc=warpalloc -nvptx-regalloc-pressure-limit=64 -warpalloc-prepare -o - | %FileCheck %s --check-prefix=LOCAL

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: .entry filled
; CHECK-NOT: __local_depot
; LOCAL: .entry filled
; LOCAL: __local_depot
define ptx_kernel void @filled(i32 %i, ptr addrspace(1) %out) {
entry:
  %a = alloca [2 x float]
  br label %fill
fill:
  %k = phi i64 [ 0, %entry ], [ %next, %fill ]
  %to = getelementptr inbounds float, ptr %a, i64 %k
  store float 1.0, ptr %to
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, 2
  br i1 %more, label %fill, label %end
end:
  %from = getelementptr inbounds float, ptr %a, i32 %i
  %x = load float, ptr %from
  store float %x, ptr addrspace(1) %out
  ret void
}
