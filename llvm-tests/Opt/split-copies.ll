; A copy through a choice of addresses, one of them a stack variable's, becomes a choice of
; values, and the variable registers.
; RUN: %opt -passes=warpalloc-promote -verify-each -S %s | %FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%half2 = type { half, half }

; CHECK-LABEL: define ptx_kernel void @through_phi
; CHECK-NOT: alloca
; CHECK-NOT: memcpy
; CHECK: outside:
; CHECK-NEXT: %[[FIRST:.*]] = load i32, ptr %p
; CHECK: end:
; CHECK: phi i32 [ %[[FIRST]], %outside ], [ 0, %entry ]
define ptx_kernel void @through_phi(ptr %p, ptr %to, i1 %c) {
entry:
  %zeros = alloca [2 x %half2], align 8
  call void @llvm.memset.p0.i64(ptr %zeros, i8 0, i64 8, i1 false)
  br i1 %c, label %outside, label %end
outside:
  br label %end
end:
  %from = phi ptr [ %p, %outside ], [ %zeros, %entry ]
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 8, i1 false)
  ret void
}

; The variable's halves are stored one by one; %p may be read only if it was chosen.
; CHECK-LABEL: define ptx_kernel void @through_select
; CHECK-NOT: alloca
; CHECK-NOT: memcpy
; CHECK: br i1 %c
; CHECK: load i32, ptr %p
; CHECK: ret void
define ptx_kernel void @through_select(ptr %p, ptr %to, i1 %c, half %x) {
  %own = alloca %half2, align 4
  store half %x, ptr %own
  %second = getelementptr i8, ptr %own, i64 2
  store half %x, ptr %second
  %from = select i1 %c, ptr %p, ptr %own
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %to, ptr align 4 %from, i64 4, i1 false)
  ret void
}

; What is stored in between may be what %p points to.
; CHECK-LABEL: define ptx_kernel void @written
; CHECK: alloca
; CHECK: memcpy
define ptx_kernel void @written(ptr %p, ptr %q, ptr %to, i1 %c, half %x) {
entry:
  %zeros = alloca [2 x %half2], align 8
  call void @llvm.memset.p0.i64(ptr %zeros, i8 0, i64 8, i1 false)
  store half %x, ptr %zeros
  br i1 %c, label %outside, label %end
outside:
  br label %end
end:
  %from = phi ptr [ %p, %outside ], [ %zeros, %entry ]
  store i32 1, ptr %q
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 8, i1 false)
  ret void
}

; Who comes from %entry without going to %end must not read %p.
; CHECK-LABEL: define ptx_kernel void @guarded
; CHECK: alloca
; CHECK: memcpy
define ptx_kernel void @guarded(ptr %p, ptr %to, i1 %c, i1 %d, half %x) {
entry:
  %zeros = alloca [2 x %half2], align 8
  call void @llvm.memset.p0.i64(ptr %zeros, i8 0, i64 8, i1 false)
  store half %x, ptr %zeros
  br i1 %c, label %outside, label %end
outside:
  br i1 %d, label %end, label %none
end:
  %from = phi ptr [ %zeros, %entry ], [ %p, %outside ]
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 8, i1 false)
  ret void
none:
  ret void
}

; More than the variable has: it may be copied only where it was not chosen.
; CHECK-LABEL: define ptx_kernel void @beyond
; CHECK: memcpy
define ptx_kernel void @beyond(ptr %p, ptr %to, i1 %c) {
  %own = alloca i32, align 4
  store i32 0, ptr %own
  %from = select i1 %c, ptr %p, ptr %own
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %to, ptr align 4 %from, i64 8, i1 false)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @volatile
; CHECK: memcpy
define ptx_kernel void @volatile(ptr %p, ptr %to, i1 %c) {
  %own = alloca i32, align 4
  store i32 0, ptr %own
  %from = select i1 %c, ptr %p, ptr %own
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %to, ptr align 4 %from, i64 4, i1 true)
  ret void
}

; A switch that leads to one block on two ways.
; CHECK-LABEL: define ptx_kernel void @switched
; CHECK-NOT: alloca
; CHECK-NOT: memcpy
; CHECK: ret void
define ptx_kernel void @switched(ptr %p, ptr %to, i32 %n) {
entry:
  %zeros = alloca [2 x %half2], align 8
  call void @llvm.memset.p0.i64(ptr %zeros, i8 0, i64 8, i1 false)
  switch i32 %n, label %outside [
    i32 1, label %end
    i32 5, label %end
  ]
outside:
  br label %end
end:
  %from = phi ptr [ %p, %outside ], [ %zeros, %entry ], [ %zeros, %entry ]
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 8, i1 false)
  ret void
}
