; Accesses at an index that only the running program knows become choices between elements.
; RUN: %opt -passes=warpalloc-promote -verify-each -S %s | %FileCheck %s
; RUN: %opt -passes=warpalloc-promote -pass-remarks=warpalloc-promote -pass-remarks-missed=warpalloc-promote -disable-output %s 2>&1 | %FileCheck %s --check-prefix=REMARK

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; REMARK: remark: {{.*}}a local array becomes registers: 2 accesses choose between its elements, for about 8 instructions instead of 24
; CHECK-LABEL: define ptx_kernel void @two
; CHECK-NOT: alloca
; CHECK: select i1
; CHECK: ret void
define ptx_kernel void @two(i32 %i, i32 %j, float %x, ptr addrspace(1) %out) {
  %a = alloca [2 x float]
  %second = getelementptr inbounds i8, ptr %a, i64 4
  store float 1.0, ptr %a
  store float 2.0, ptr %second
  %wide = sext i32 %i to i64
  %to = getelementptr inbounds float, ptr %a, i64 %wide
  store float %x, ptr %to
  %from = getelementptr inbounds [2 x float], ptr %a, i32 0, i32 %j
  %y = load float, ptr %from
  store float %y, ptr addrspace(1) %out
  ret void
}

; Elements below the constant: the index counts from the second row.
; CHECK-LABEL: define ptx_kernel void @rows
; CHECK-NOT: alloca
; CHECK: icmp eq i32 %i, -1
; CHECK: ret void
define ptx_kernel void @rows(i32 %i, ptr addrspace(1) %out) {
  %a = alloca [2 x [2 x float]]
  store <4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>, ptr %a
  %row = getelementptr inbounds i8, ptr %a, i64 12
  %from = getelementptr inbounds [2 x float], ptr %row, i32 %i
  %y = load float, ptr %from
  store float %y, ptr addrspace(1) %out
  ret void
}

; An element of one array is the index of the other.
; CHECK-LABEL: define ptx_kernel void @nested
; CHECK-NOT: alloca
; CHECK: ret void
define ptx_kernel void @nested(i32 %i, i32 %x, ptr addrspace(1) %out) {
  %a = alloca [2 x i32]
  %b = alloca [2 x i32]
  %a1 = getelementptr inbounds i8, ptr %a, i64 4
  %b1 = getelementptr inbounds i8, ptr %b, i64 4
  store i32 1, ptr %a
  store i32 0, ptr %a1
  store i32 %x, ptr %b
  store i32 7, ptr %b1
  %first = getelementptr inbounds i32, ptr %a, i32 %i
  %index = load i32, ptr %first
  %second = getelementptr inbounds i32, ptr %b, i32 %index
  %y = load i32, ptr %second
  store i32 %y, ptr addrspace(1) %out
  ret void
}

; REMARK: remark: {{.*}}a local array stays in memory: choosing between its elements would cost about 64 instructions, and its accesses cost about 12
; CHECK-LABEL: define ptx_kernel void @many
; CHECK: alloca [32 x float]
define ptx_kernel void @many(i32 %i, float %x, ptr addrspace(1) %out) {
  %a = alloca [32 x float]
  store float %x, ptr %a
  %from = getelementptr inbounds float, ptr %a, i32 %i
  %y = load float, ptr %from
  store float %y, ptr addrspace(1) %out
  ret void
}

; Another index may give the same address: 2^62 times 4 is 0.
; CHECK-LABEL: define ptx_kernel void @wraps
; CHECK: alloca [2 x float]
define ptx_kernel void @wraps(i64 %i, float %x, ptr addrspace(1) %out) {
  %a = alloca [2 x float]
  store float %x, ptr %a
  %from = getelementptr float, ptr %a, i64 %i
  %y = load float, ptr %from
  store float %y, ptr addrspace(1) %out
  ret void
}

; An access that does not fall on elements.
; CHECK-LABEL: define ptx_kernel void @between
; CHECK: alloca [4 x float]
define ptx_kernel void @between(i32 %i, <4 x float> %x, ptr addrspace(1) %out) {
  %a = alloca [4 x float]
  store <4 x float> %x, ptr %a
  %from = getelementptr inbounds float, ptr %a, i32 %i
  %y = load <2 x float>, ptr %from, align 4
  store <2 x float> %y, ptr addrspace(1) %out
  ret void
}

; A store of one bit writes all of its byte: the bytes that are not chosen would lose the
; other seven if they were loaded and stored as a bit.
; CHECK-LABEL: define ptx_kernel void @store_bit
; CHECK: alloca [4 x i8]
define ptx_kernel void @store_bit(i32 %i, i1 %x, i32 %y, ptr addrspace(1) %out) {
  %a = alloca [4 x i8]
  store i32 %y, ptr %a
  %to = getelementptr inbounds i8, ptr %a, i32 %i
  store i1 %x, ptr %to
  %z = load i32, ptr %a
  store i32 %z, ptr addrspace(1) %out
  ret void
}

; A load of one bit writes nothing.
; CHECK-LABEL: define ptx_kernel void @load_bit
; CHECK-NOT: alloca
; CHECK: ret void
define ptx_kernel void @load_bit(i32 %i, i1 %x, i1 %y, ptr addrspace(1) %out) {
  %a = alloca [2 x i8]
  %second = getelementptr inbounds i8, ptr %a, i64 1
  store i1 %x, ptr %a
  store i1 %y, ptr %second
  %from = getelementptr inbounds i8, ptr %a, i32 %i
  %z = load i1, ptr %from
  store i1 %z, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @volatile
; CHECK: alloca [2 x float]
define ptx_kernel void @volatile(i32 %i, float %x, ptr addrspace(1) %out) {
  %a = alloca [2 x float]
  store float %x, ptr %a
  %from = getelementptr inbounds float, ptr %a, i32 %i
  %y = load volatile float, ptr %from
  store float %y, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @atomic
; CHECK: alloca [2 x i32]
define ptx_kernel void @atomic(i32 %i, ptr addrspace(1) %out) {
  %a = alloca [2 x i32]
  store <2 x i32> zeroinitializer, ptr %a
  %place = getelementptr inbounds i32, ptr %a, i32 %i
  %y = atomicrmw add ptr %place, i32 1 seq_cst
  store i32 %y, ptr addrspace(1) %out
  ret void
}
