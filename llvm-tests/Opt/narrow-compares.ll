; Choices between the elements of an array compare 32 bits of an index: of one that is known to
; have no more once LLVM has simplified, and of one that an element's index cannot have more of.
; RUN: %opt -passes=warpalloc-promote -verify-each -S %s | %FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @known(
; CHECK-NOT: alloca
; CHECK: [[PLACE:%.*]] = urem i64 %i, 3
; CHECK-NOT: icmp eq i64 [[PLACE]]
; CHECK: icmp eq i32
; CHECK-NOT: icmp eq i64 [[PLACE]]
; CHECK: ret void
define ptx_kernel void @known(i64 %i, double %x, ptr addrspace(1) %out) {
  %a = alloca [3 x double]
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 24, i1 false)
  %last = getelementptr inbounds i8, ptr %a, i64 16
  store double 1.0, ptr %last
  %place = urem i64 %i, 3
  %to = getelementptr inbounds double, ptr %a, i64 %place
  store double %x, ptr %to
  %next = add i64 %i, 1
  %other = urem i64 %next, 3
  %from = getelementptr inbounds double, ptr %a, i64 %other
  %y = load double, ptr %from
  store double %y, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unknown(
; CHECK-NOT: alloca
; CHECK-NOT: icmp eq i64
; CHECK: trunc i64 {{.*}} to i32
; CHECK-NOT: icmp eq i64
; CHECK: ret void
define ptx_kernel void @unknown(i64 %i, double %x, ptr addrspace(1) %out) {
  %a = alloca [2 x double]
  %second = getelementptr inbounds i8, ptr %a, i64 8
  store double 1.0, ptr %a
  store double 2.0, ptr %second
  %from = getelementptr inbounds double, ptr %a, i64 %i
  %y = load double, ptr %from
  %sum = fadd double %x, %y
  store double %sum, ptr addrspace(1) %out
  ret void
}

; Nothing is known of the upper half.
; CHECK-LABEL: define ptx_kernel void @wide(
; CHECK: icmp eq i64 %j, 7
; CHECK: ret void
define ptx_kernel void @wide(i64 %i, i64 %j, ptr addrspace(1) %out) {
  %a = alloca [2 x double]
  %second = getelementptr inbounds i8, ptr %a, i64 8
  store double 1.0, ptr %a
  store double 2.0, ptr %second
  %from = getelementptr inbounds double, ptr %a, i64 %i
  %y = load double, ptr %from
  %is = icmp eq i64 %j, 7
  %value = select i1 %is, double %y, double 5.0
  store double %value, ptr addrspace(1) %out
  ret void
}
