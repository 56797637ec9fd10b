; Loops whose copies are more code than an SM's cache holds stay loops, unless their variables'
; accesses were worth it; with fewer copies the same variable becomes registers.
; RUN: %opt -passes=warpalloc-promote -verify-each -S %s | %FileCheck %s
; RUN: %opt -passes=warpalloc-promote -pass-remarks-missed=warpalloc-promote -disable-output \
; RUN:   %s 2>&1 | %FileCheck %s --check-prefix=REMARK

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @small(
; CHECK-NOT: alloca
; CHECK: ret void
define ptx_kernel void @small(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
entry:
  %a = alloca [8 x float], align 4, addrspace(5)
  call void @llvm.memset.p5.i64(ptr addrspace(5) %a, i8 0, i64 32, i1 false)
  br label %x.loop
x.loop:
  %x.i = phi i32 [ 0, %entry ], [ %x.next, %x.loop ]
  %x.at = and i32 %x.i, 7
  %x.p = getelementptr float, ptr addrspace(5) %a, i32 %x.at
  %x0 = load float, ptr addrspace(5) %x.p
  %x.factor = load volatile float, ptr addrspace(1) %in
  %x1 = fmul float %x0, %x.factor
  %x2 = fmul float %x1, %x.factor
  %x3 = fmul float %x2, %x.factor
  %x4 = fmul float %x3, %x.factor
  %x5 = fmul float %x4, %x.factor
  %x6 = fmul float %x5, %x.factor
  %x7 = fmul float %x6, %x.factor
  %x8 = fmul float %x7, %x.factor
  %x9 = fmul float %x8, %x.factor
  %x10 = fmul float %x9, %x.factor
  %x11 = fmul float %x10, %x.factor
  %x12 = fmul float %x11, %x.factor
  %x13 = fmul float %x12, %x.factor
  %x14 = fmul float %x13, %x.factor
  %x15 = fmul float %x14, %x.factor
  %x16 = fmul float %x15, %x.factor
  %x17 = fmul float %x16, %x.factor
  %x18 = fmul float %x17, %x.factor
  %x19 = fmul float %x18, %x.factor
  %x20 = fmul float %x19, %x.factor
  %x21 = fmul float %x20, %x.factor
  %x22 = fmul float %x21, %x.factor
  store float %x22, ptr addrspace(5) %x.p
  store volatile float %x22, ptr addrspace(1) %out
  %x.next = add i32 %x.i, 1
  %x.more = icmp ult i32 %x.next, 128
  br i1 %x.more, label %x.loop, label %y.loop
y.loop:
  %y.i = phi i32 [ 0, %x.loop ], [ %y.next, %y.loop ]
  %y.at = and i32 %y.i, 7
  %y.p = getelementptr float, ptr addrspace(5) %a, i32 %y.at
  %y0 = load float, ptr addrspace(5) %y.p
  %y.factor = load volatile float, ptr addrspace(1) %in
  %y1 = fmul float %y0, %y.factor
  %y2 = fmul float %y1, %y.factor
  %y3 = fmul float %y2, %y.factor
  %y4 = fmul float %y3, %y.factor
  %y5 = fmul float %y4, %y.factor
  %y6 = fmul float %y5, %y.factor
  %y7 = fmul float %y6, %y.factor
  %y8 = fmul float %y7, %y.factor
  %y9 = fmul float %y8, %y.factor
  %y10 = fmul float %y9, %y.factor
  %y11 = fmul float %y10, %y.factor
  %y12 = fmul float %y11, %y.factor
  %y13 = fmul float %y12, %y.factor
  %y14 = fmul float %y13, %y.factor
  %y15 = fmul float %y14, %y.factor
  %y16 = fmul float %y15, %y.factor
  %y17 = fmul float %y16, %y.factor
  %y18 = fmul float %y17, %y.factor
  %y19 = fmul float %y18, %y.factor
  %y20 = fmul float %y19, %y.factor
  %y21 = fmul float %y20, %y.factor
  %y22 = fmul float %y21, %y.factor
  store float %y22, ptr addrspace(5) %y.p
  store volatile float %y22, ptr addrspace(1) %out
  %y.next = add i32 %y.i, 1
  %y.more = icmp ult i32 %y.next, 128
  br i1 %y.more, label %y.loop, label %end
end:
  %last = getelementptr float, ptr addrspace(5) %a, i32 5
  %value = load float, ptr addrspace(5) %last
  store float %value, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @large(
; CHECK: alloca
; CHECK: ret void
; REMARK: local variables of 'large' stay in memory: {{.*}} code of {{[0-9][0-9]}}, {{.*}} would become {{.*}} code of {{2[0-9][0-9][0-9][0-9]}},
define ptx_kernel void @large(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
entry:
  %a = alloca [8 x float], align 4, addrspace(5)
  call void @llvm.memset.p5.i64(ptr addrspace(5) %a, i8 0, i64 32, i1 false)
  br label %x.loop
x.loop:
  %x.i = phi i32 [ 0, %entry ], [ %x.next, %x.loop ]
  %x.at = and i32 %x.i, 7
  %x.p = getelementptr float, ptr addrspace(5) %a, i32 %x.at
  %x0 = load float, ptr addrspace(5) %x.p
  %x.factor = load volatile float, ptr addrspace(1) %in
  %x1 = fmul float %x0, %x.factor
  %x2 = fmul float %x1, %x.factor
  %x3 = fmul float %x2, %x.factor
  %x4 = fmul float %x3, %x.factor
  %x5 = fmul float %x4, %x.factor
  %x6 = fmul float %x5, %x.factor
  %x7 = fmul float %x6, %x.factor
  %x8 = fmul float %x7, %x.factor
  %x9 = fmul float %x8, %x.factor
  %x10 = fmul float %x9, %x.factor
  %x11 = fmul float %x10, %x.factor
  %x12 = fmul float %x11, %x.factor
  %x13 = fmul float %x12, %x.factor
  %x14 = fmul float %x13, %x.factor
  %x15 = fmul float %x14, %x.factor
  %x16 = fmul float %x15, %x.factor
  %x17 = fmul float %x16, %x.factor
  %x18 = fmul float %x17, %x.factor
  %x19 = fmul float %x18, %x.factor
  %x20 = fmul float %x19, %x.factor
  %x21 = fmul float %x20, %x.factor
  %x22 = fmul float %x21, %x.factor
  store float %x22, ptr addrspace(5) %x.p
  store volatile float %x22, ptr addrspace(1) %out
  %x.next = add i32 %x.i, 1
  %x.more = icmp ult i32 %x.next, 512
  br i1 %x.more, label %x.loop, label %y.loop
y.loop:
  %y.i = phi i32 [ 0, %x.loop ], [ %y.next, %y.loop ]
  %y.at = and i32 %y.i, 7
  %y.p = getelementptr float, ptr addrspace(5) %a, i32 %y.at
  %y0 = load float, ptr addrspace(5) %y.p
  %y.factor = load volatile float, ptr addrspace(1) %in
  %y1 = fmul float %y0, %y.factor
  %y2 = fmul float %y1, %y.factor
  %y3 = fmul float %y2, %y.factor
  %y4 = fmul float %y3, %y.factor
  %y5 = fmul float %y4, %y.factor
  %y6 = fmul float %y5, %y.factor
  %y7 = fmul float %y6, %y.factor
  %y8 = fmul float %y7, %y.factor
  %y9 = fmul float %y8, %y.factor
  %y10 = fmul float %y9, %y.factor
  %y11 = fmul float %y10, %y.factor
  %y12 = fmul float %y11, %y.factor
  %y13 = fmul float %y12, %y.factor
  %y14 = fmul float %y13, %y.factor
  %y15 = fmul float %y14, %y.factor
  %y16 = fmul float %y15, %y.factor
  %y17 = fmul float %y16, %y.factor
  %y18 = fmul float %y17, %y.factor
  %y19 = fmul float %y18, %y.factor
  %y20 = fmul float %y19, %y.factor
  %y21 = fmul float %y20, %y.factor
  %y22 = fmul float %y21, %y.factor
  store float %y22, ptr addrspace(5) %y.p
  store volatile float %y22, ptr addrspace(1) %out
  %y.next = add i32 %y.i, 1
  %y.more = icmp ult i32 %y.next, 512
  br i1 %y.more, label %y.loop, label %end
end:
  %last = getelementptr float, ptr addrspace(5) %a, i32 5
  %value = load float, ptr addrspace(5) %last
  store float %value, ptr addrspace(1) %out
  ret void
}

declare void @llvm.memset.p5.i64(ptr addrspace(5), i8, i64, i1)

attributes #0 = { nounwind "target-cpu"="sm_90" }
