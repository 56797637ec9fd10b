; What calls were inlined into for its variables is compared with what it was, with what it
; calls: where the registers are not enough, memory may be accessed less in the callee's loop,
; four elements at once, than for what is spilled.
; RUN: %opt -passes=warpalloc -nvptx-regalloc-pressure-limit=24 -verify-each -S %s -o %t.ll \
; RUN:   -pass-remarks=warpalloc -pass-remarks-missed=warpalloc 2>&1 | \
; RUN:   %FileCheck %s --check-prefix=REMARK-FEW
; RUN: %FileCheck %s --check-prefix=FEW < %t.ll
; RUN: %opt -passes=warpalloc -verify-each -S %s -o %t.ll \
; RUN:   -pass-remarks=warpalloc -pass-remarks-missed=warpalloc 2>&1 | \
; RUN:   %FileCheck %s --check-prefix=REMARK-MANY
; RUN: %FileCheck %s --check-prefix=MANY < %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; REMARK-FEW: calls in 'kernel' stay: {{[0-9]+}} instructions, 144 of them accesses to local memory, 0 of those for what is spilled
; REMARK-FEW-SAME: would become
; REMARK-MANY: calls in 'kernel' are inlined: {{.*}} 144 of them accesses {{.*}} became {{.*}} 0 of them accesses
; FEW-LABEL: define ptx_kernel void @kernel(
; FEW: alloca [8 x <4 x i32>]
; FEW: call void @step(
; FEW: ret void
; MANY-LABEL: define ptx_kernel void @kernel(
; MANY-NOT: alloca
; MANY-NOT: call
; MANY: ret void
define ptx_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %count) #0 {
entry:
  %a = alloca [8 x <4 x i32>], align 16
  call void @start(ptr %a, ptr addrspace(1) %in)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @step(ptr %a)
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %count
  br i1 %more, label %loop, label %end
end:
  call void @finish(ptr %a, ptr addrspace(1) %out)
  ret void
}

define internal void @start(ptr %p, ptr addrspace(1) %in) #0 {
  %from0 = getelementptr i8, ptr addrspace(1) %in, i64 0
  %v0 = load <4 x i32>, ptr addrspace(1) %from0, align 16
  %to0 = getelementptr i8, ptr %p, i64 0
  store <4 x i32> %v0, ptr %to0, align 16
  %from1 = getelementptr i8, ptr addrspace(1) %in, i64 16
  %v1 = load <4 x i32>, ptr addrspace(1) %from1, align 16
  %to1 = getelementptr i8, ptr %p, i64 16
  store <4 x i32> %v1, ptr %to1, align 16
  %from2 = getelementptr i8, ptr addrspace(1) %in, i64 32
  %v2 = load <4 x i32>, ptr addrspace(1) %from2, align 16
  %to2 = getelementptr i8, ptr %p, i64 32
  store <4 x i32> %v2, ptr %to2, align 16
  %from3 = getelementptr i8, ptr addrspace(1) %in, i64 48
  %v3 = load <4 x i32>, ptr addrspace(1) %from3, align 16
  %to3 = getelementptr i8, ptr %p, i64 48
  store <4 x i32> %v3, ptr %to3, align 16
  %from4 = getelementptr i8, ptr addrspace(1) %in, i64 64
  %v4 = load <4 x i32>, ptr addrspace(1) %from4, align 16
  %to4 = getelementptr i8, ptr %p, i64 64
  store <4 x i32> %v4, ptr %to4, align 16
  %from5 = getelementptr i8, ptr addrspace(1) %in, i64 80
  %v5 = load <4 x i32>, ptr addrspace(1) %from5, align 16
  %to5 = getelementptr i8, ptr %p, i64 80
  store <4 x i32> %v5, ptr %to5, align 16
  %from6 = getelementptr i8, ptr addrspace(1) %in, i64 96
  %v6 = load <4 x i32>, ptr addrspace(1) %from6, align 16
  %to6 = getelementptr i8, ptr %p, i64 96
  store <4 x i32> %v6, ptr %to6, align 16
  %from7 = getelementptr i8, ptr addrspace(1) %in, i64 112
  %v7 = load <4 x i32>, ptr addrspace(1) %from7, align 16
  %to7 = getelementptr i8, ptr %p, i64 112
  store <4 x i32> %v7, ptr %to7, align 16
  ret void
}

; Each with the next one, in turn.
define internal void @step(ptr %p) #0 {
  %p0 = getelementptr i8, ptr %p, i64 0
  %v0 = load <4 x i32>, ptr %p0, align 16
  %p1 = getelementptr i8, ptr %p, i64 16
  %v1 = load <4 x i32>, ptr %p1, align 16
  %w1 = mul <4 x i32> %v1, %v0
  store <4 x i32> %w1, ptr %p0, align 16
  %p2 = getelementptr i8, ptr %p, i64 32
  %v2 = load <4 x i32>, ptr %p2, align 16
  %w2 = mul <4 x i32> %v2, %v1
  store <4 x i32> %w2, ptr %p1, align 16
  %p3 = getelementptr i8, ptr %p, i64 48
  %v3 = load <4 x i32>, ptr %p3, align 16
  %w3 = mul <4 x i32> %v3, %v2
  store <4 x i32> %w3, ptr %p2, align 16
  %p4 = getelementptr i8, ptr %p, i64 64
  %v4 = load <4 x i32>, ptr %p4, align 16
  %w4 = mul <4 x i32> %v4, %v3
  store <4 x i32> %w4, ptr %p3, align 16
  %p5 = getelementptr i8, ptr %p, i64 80
  %v5 = load <4 x i32>, ptr %p5, align 16
  %w5 = mul <4 x i32> %v5, %v4
  store <4 x i32> %w5, ptr %p4, align 16
  %p6 = getelementptr i8, ptr %p, i64 96
  %v6 = load <4 x i32>, ptr %p6, align 16
  %w6 = mul <4 x i32> %v6, %v5
  store <4 x i32> %w6, ptr %p5, align 16
  %p7 = getelementptr i8, ptr %p, i64 112
  %v7 = load <4 x i32>, ptr %p7, align 16
  %w7 = mul <4 x i32> %v7, %v6
  store <4 x i32> %w7, ptr %p6, align 16
  store <4 x i32> %v7, ptr %p7, align 16
  ret void
}

define internal void @finish(ptr %p, ptr addrspace(1) %out) #0 {
  %from0 = getelementptr i8, ptr %p, i64 0
  %v0 = load <4 x i32>, ptr %from0, align 16
  %to0 = getelementptr i8, ptr addrspace(1) %out, i64 0
  store <4 x i32> %v0, ptr addrspace(1) %to0, align 16
  %from1 = getelementptr i8, ptr %p, i64 16
  %v1 = load <4 x i32>, ptr %from1, align 16
  %to1 = getelementptr i8, ptr addrspace(1) %out, i64 16
  store <4 x i32> %v1, ptr addrspace(1) %to1, align 16
  %from2 = getelementptr i8, ptr %p, i64 32
  %v2 = load <4 x i32>, ptr %from2, align 16
  %to2 = getelementptr i8, ptr addrspace(1) %out, i64 32
  store <4 x i32> %v2, ptr addrspace(1) %to2, align 16
  %from3 = getelementptr i8, ptr %p, i64 48
  %v3 = load <4 x i32>, ptr %from3, align 16
  %to3 = getelementptr i8, ptr addrspace(1) %out, i64 48
  store <4 x i32> %v3, ptr addrspace(1) %to3, align 16
  %from4 = getelementptr i8, ptr %p, i64 64
  %v4 = load <4 x i32>, ptr %from4, align 16
  %to4 = getelementptr i8, ptr addrspace(1) %out, i64 64
  store <4 x i32> %v4, ptr addrspace(1) %to4, align 16
  %from5 = getelementptr i8, ptr %p, i64 80
  %v5 = load <4 x i32>, ptr %from5, align 16
  %to5 = getelementptr i8, ptr addrspace(1) %out, i64 80
  store <4 x i32> %v5, ptr addrspace(1) %to5, align 16
  %from6 = getelementptr i8, ptr %p, i64 96
  %v6 = load <4 x i32>, ptr %from6, align 16
  %to6 = getelementptr i8, ptr addrspace(1) %out, i64 96
  store <4 x i32> %v6, ptr addrspace(1) %to6, align 16
  %from7 = getelementptr i8, ptr %p, i64 112
  %v7 = load <4 x i32>, ptr %from7, align 16
  %to7 = getelementptr i8, ptr addrspace(1) %out, i64 112
  store <4 x i32> %v7, ptr addrspace(1) %to7, align 16
  ret void
}

attributes #0 = { "target-cpu"="sm_90" }
