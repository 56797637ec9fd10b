; A choice between doubles is two instructions, so that five of them stay in memory where five
; floats become registers.
; RUN: %opt -passes=warpalloc -verify-each -S %s -o %t.ll \
; RUN:   -pass-remarks=warpalloc-promote -pass-remarks-missed=warpalloc-promote 2>&1 | \
; RUN:   %FileCheck %s --check-prefix=REMARK
; RUN: %FileCheck %s < %t.ll

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; REMARK: a local array becomes registers: 1 accesses choose between its elements, for about 10 instructions
; REMARK: a local array stays in memory: choosing between its elements would cost about 15 instructions, and its accesses cost about 12
; CHECK-LABEL: define ptx_kernel void @floats(
; CHECK-NOT: alloca
; CHECK: ret void
define ptx_kernel void @floats(ptr addrspace(1) %out, float %v, i32 %i) #0 {
  %a = alloca [5 x float], align 4
  store float %v, ptr %a, align 4
  %at = getelementptr inbounds float, ptr %a, i32 %i
  %chosen = load float, ptr %at, align 4
  store float %chosen, ptr addrspace(1) %out, align 4
  ret void
}

; CHECK-LABEL: define ptx_kernel void @doubles(
; CHECK: alloca [5 x double]
; CHECK: ret void
define ptx_kernel void @doubles(ptr addrspace(1) %out, double %v, i32 %i) #0 {
  %a = alloca [5 x double], align 8
  store double %v, ptr %a, align 8
  %at = getelementptr inbounds double, ptr %a, i32 %i
  %chosen = load double, ptr %at, align 8
  store double %chosen, ptr addrspace(1) %out, align 8
  ret void
}

attributes #0 = { "target-cpu"="sm_90" }
