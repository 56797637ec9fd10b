; Elements smaller than a word are chosen by words and shifts where that is cheaper.
; RUN: %opt -passes=warpalloc-promote -verify-each -S %s | %FileCheck %s
; RUN: %opt -passes=warpalloc-promote -pass-remarks=warpalloc-promote -disable-output %s 2>&1 | %FileCheck %s --check-prefix=REMARK

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; One word: no choice at all.
; REMARK: remark: {{.*}}a local array becomes registers: 2 accesses choose between its words, for about 10 instructions instead of 24
; CHECK-LABEL: define ptx_kernel void @word
; CHECK-NOT: alloca
; CHECK-NOT: select
; CHECK: [[SHIFTED:%.*]] = shl i32 %i, 3
; CHECK: [[SHIFT:%.*]] = and i32 [[SHIFTED]], 24
; CHECK: [[MASK:%.*]] = shl nuw i32 255, [[SHIFT]]
; CHECK: [[OTHERS:%.*]] = xor i32 [[MASK]], -1
; CHECK: [[NEW:%.*]] = shl nuw i32 %{{.*}}, [[SHIFT]]
; CHECK: [[OLD:%.*]] = and i32 %{{.*}}, [[OTHERS]]
; CHECK: or i32 [[OLD]], [[NEW]]
; CHECK: [[SELECTOR:%.*]] = and i32 %j, 7
; CHECK: call i32 @llvm.nvvm.prmt(i32 %{{.*}}, i32 0, i32 [[SELECTOR]])
; CHECK: ret void
define ptx_kernel void @word(i32 %i, i32 %j, i8 %x, i32 %all, ptr addrspace(1) %out) {
  %a = alloca [4 x i8], align 1
  store i32 %all, ptr %a, align 1
  %to = getelementptr inbounds i8, ptr %a, i32 %i
  store i8 %x, ptr %to
  %third = getelementptr inbounds i8, ptr %a, i64 2
  store i8 %x, ptr %third
  %from = getelementptr inbounds i8, ptr %a, i32 %j
  %y = load i8, ptr %from
  store i8 %y, ptr addrspace(1) %out
  ret void
}

; Four words of two elements, counted from the second one.
; REMARK: remark: {{.*}}a local array becomes registers: 1 accesses choose between its words, for about 7 instructions instead of 30
; CHECK-LABEL: define ptx_kernel void @halves
; CHECK-NOT: alloca
; CHECK: [[LAST:%.*]] = or disjoint i32 %{{.*}}, 257
; CHECK: [[FIRST:%.*]] = and i32 [[PLACE:%.*]], 6
; CHECK: [[BOTH:%.*]] = mul nuw nsw i32 [[FIRST]], 17
; CHECK: [[SELECTOR:%.*]] = add nuw nsw i32 [[BOTH]], 16
; CHECK: [[HIGH:%.*]] = call i32 @llvm.nvvm.prmt(i32 16843009, i32 [[LAST]], i32 [[SELECTOR]])
; CHECK: [[LOW:%.*]] = call i32 @llvm.nvvm.prmt(i32 %{{.*}}, i32 %{{.*}}, i32 [[SELECTOR]])
; CHECK: [[IS_LOW:%.*]] = icmp ult i32 [[PLACE]], 8
; CHECK: select i1 [[IS_LOW]], i32 [[LOW]], i32 [[HIGH]]
; CHECK-NOT: select i1
; CHECK: ret void
define ptx_kernel void @halves(i64 %i, i16 %x, i16 %y, i32 %z, ptr addrspace(1) %out) {
  %a = alloca [8 x i16], align 2
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 16, i1 false)
  store i16 %x, ptr %a
  %last = getelementptr inbounds i8, ptr %a, i64 14
  store i16 %y, ptr %last
  %middle = getelementptr inbounds i8, ptr %a, i64 4
  store i32 %z, ptr %middle
  %second = getelementptr inbounds i8, ptr %a, i64 2
  %from = getelementptr inbounds i16, ptr %second, i64 %i
  %v = load i16, ptr %from
  store i16 %v, ptr addrspace(1) %out
  ret void
}

; No place in a word for the last two: its elements are chosen.
; CHECK-LABEL: define ptx_kernel void @three
; CHECK-NOT: prmt
; CHECK: select i1
; CHECK: ret void
define ptx_kernel void @three(i32 %i, i16 %x, i16 %y, ptr addrspace(1) %out) {
  %a = alloca [3 x i16], align 4
  store i16 %x, ptr %a
  %second = getelementptr inbounds i8, ptr %a, i64 2
  store i16 %y, ptr %second
  %third = getelementptr inbounds i8, ptr %a, i64 4
  store i16 7, ptr %third
  %from = getelementptr inbounds i16, ptr %a, i32 %i
  %v = load i16, ptr %from
  store i16 %v, ptr addrspace(1) %out
  ret void
}

; Two elements: a choice between them is cheaper.
; REMARK: remark: {{.*}}a local array becomes registers: 1 accesses choose between its elements
; CHECK-LABEL: define ptx_kernel void @two
; CHECK-NOT: alloca
; CHECK: select i1
; CHECK: ret void
define ptx_kernel void @two(i32 %i, i16 %x, i16 %y, ptr addrspace(1) %out) {
  %a = alloca [2 x i16], align 4
  store i16 %x, ptr %a
  %second = getelementptr inbounds i8, ptr %a, i64 2
  store i16 %y, ptr %second
  %from = getelementptr inbounds i16, ptr %a, i32 %i
  %v = load i16, ptr %from
  store i16 %v, ptr addrspace(1) %out
  ret void
}

; Elements that are no integers are not put into words: only whole ones are chosen.
; CHECK-LABEL: define ptx_kernel void @floating
; CHECK: alloca
define ptx_kernel void @floating(i32 %i, half %x, ptr addrspace(1) %out) {
  %a = alloca [8 x half], align 4
  store half %x, ptr %a
  %from = getelementptr inbounds half, ptr %a, i32 %i
  %v = load half, ptr %from
  store half %v, ptr addrspace(1) %out
  ret void
}

; Nor those that are no whole bytes.
; CHECK-LABEL: define ptx_kernel void @bit
; CHECK: alloca
; CHECK-NOT: prmt
; CHECK: ret void
define ptx_kernel void @bit(i32 %i, i1 %x, ptr addrspace(1) %out) {
  %a = alloca [16 x i8], align 4
  store i1 %x, ptr %a
  %from = getelementptr inbounds i8, ptr %a, i32 %i
  %v = load i8, ptr %from
  store i8 %v, ptr addrspace(1) %out
  ret void
}

; A copy may have elements that are poison, and would make their whole word so.
; CHECK-LABEL: define ptx_kernel void @copied
; CHECK: alloca
define ptx_kernel void @copied(i32 %i, ptr %in, ptr addrspace(1) %out) {
  %a = alloca [16 x i8], align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %in, i64 16, i1 false)
  %from = getelementptr inbounds i8, ptr %a, i32 %i
  %v = load i8, ptr %from
  store i8 %v, ptr addrspace(1) %out
  ret void
}

; For the same reason what is stored is frozen.
; CHECK-LABEL: define ptx_kernel void @frozen
; CHECK-NOT: alloca
; CHECK-DAG: freeze i8 %x
; CHECK-DAG: freeze i8 %y
; CHECK: ret void
define ptx_kernel void @frozen(i32 %i, i32 %j, i8 %x, i8 %y, ptr addrspace(1) %out) {
  %a = alloca [8 x i8], align 4
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 8, i1 false)
  store i8 %x, ptr %a
  %to = getelementptr inbounds i8, ptr %a, i32 %j
  store i8 %y, ptr %to
  %from = getelementptr inbounds i8, ptr %a, i32 %i
  %v = load i8, ptr %from
  store i8 %v, ptr addrspace(1) %out
  ret void
}
