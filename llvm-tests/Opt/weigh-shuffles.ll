; What chains of shuffles give counts as spilled where more is live than there are registers:
; ptxas takes one link of each chain in turn. Calls with one shuffle of each value are inlined.
; RUN: %opt -passes=warpalloc -nvptx-regalloc-pressure-limit=20 -verify-each -S %s -o %t.ll \
; RUN:   -pass-remarks=warpalloc -pass-remarks-missed=warpalloc 2>&1 | \
; RUN:   %FileCheck %s --check-prefix=REMARK
; RUN: %FileCheck %s < %t.ll
; Where there is room, chains are like other code.
; RUN: %opt -passes=warpalloc -nvptx-regalloc-pressure-limit=32 -S %s | \
; RUN:   %FileCheck %s --check-prefix=ROOM

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; REMARK: calls in 'chains' stay:
; REMARK: calls in 'single' are inlined:

; CHECK-LABEL: define ptx_kernel void @chains(
; CHECK: alloca
; CHECK: call void @chained(
; ROOM-LABEL: define ptx_kernel void @chains(
; ROOM-NOT: alloca
; ROOM: ret void
define ptx_kernel void @chains(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %count) #0 {
entry:
  %a = alloca [20 x float], align 4
  call void @copy(ptr %a, ptr addrspace(1) %in)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @chained(ptr %a)
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %count
  br i1 %more, label %loop, label %end
end:
  call void @back(ptr %a, ptr addrspace(1) %out)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @single(
; CHECK-NOT: alloca
; CHECK-NOT: call void
; CHECK: ret void
; ROOM-LABEL: define ptx_kernel void @single(
; ROOM-NOT: alloca
; ROOM: ret void
define ptx_kernel void @single(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %count) #0 {
entry:
  %a = alloca [20 x float], align 4
  call void @copy(ptr %a, ptr addrspace(1) %in)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @once(ptr %a)
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %count
  br i1 %more, label %loop, label %end
end:
  call void @back(ptr %a, ptr addrspace(1) %out)
  ret void
}

define internal void @copy(ptr %p, ptr addrspace(1) %in) #0 {
  %from0 = getelementptr float, ptr addrspace(1) %in, i64 0
  %v0 = load float, ptr addrspace(1) %from0
  %to0 = getelementptr float, ptr %p, i64 0
  store float %v0, ptr %to0
  %from1 = getelementptr float, ptr addrspace(1) %in, i64 1
  %v1 = load float, ptr addrspace(1) %from1
  %to1 = getelementptr float, ptr %p, i64 1
  store float %v1, ptr %to1
  %from2 = getelementptr float, ptr addrspace(1) %in, i64 2
  %v2 = load float, ptr addrspace(1) %from2
  %to2 = getelementptr float, ptr %p, i64 2
  store float %v2, ptr %to2
  %from3 = getelementptr float, ptr addrspace(1) %in, i64 3
  %v3 = load float, ptr addrspace(1) %from3
  %to3 = getelementptr float, ptr %p, i64 3
  store float %v3, ptr %to3
  %from4 = getelementptr float, ptr addrspace(1) %in, i64 4
  %v4 = load float, ptr addrspace(1) %from4
  %to4 = getelementptr float, ptr %p, i64 4
  store float %v4, ptr %to4
  %from5 = getelementptr float, ptr addrspace(1) %in, i64 5
  %v5 = load float, ptr addrspace(1) %from5
  %to5 = getelementptr float, ptr %p, i64 5
  store float %v5, ptr %to5
  %from6 = getelementptr float, ptr addrspace(1) %in, i64 6
  %v6 = load float, ptr addrspace(1) %from6
  %to6 = getelementptr float, ptr %p, i64 6
  store float %v6, ptr %to6
  %from7 = getelementptr float, ptr addrspace(1) %in, i64 7
  %v7 = load float, ptr addrspace(1) %from7
  %to7 = getelementptr float, ptr %p, i64 7
  store float %v7, ptr %to7
  %from8 = getelementptr float, ptr addrspace(1) %in, i64 8
  %v8 = load float, ptr addrspace(1) %from8
  %to8 = getelementptr float, ptr %p, i64 8
  store float %v8, ptr %to8
  %from9 = getelementptr float, ptr addrspace(1) %in, i64 9
  %v9 = load float, ptr addrspace(1) %from9
  %to9 = getelementptr float, ptr %p, i64 9
  store float %v9, ptr %to9
  %from10 = getelementptr float, ptr addrspace(1) %in, i64 10
  %v10 = load float, ptr addrspace(1) %from10
  %to10 = getelementptr float, ptr %p, i64 10
  store float %v10, ptr %to10
  %from11 = getelementptr float, ptr addrspace(1) %in, i64 11
  %v11 = load float, ptr addrspace(1) %from11
  %to11 = getelementptr float, ptr %p, i64 11
  store float %v11, ptr %to11
  %from12 = getelementptr float, ptr addrspace(1) %in, i64 12
  %v12 = load float, ptr addrspace(1) %from12
  %to12 = getelementptr float, ptr %p, i64 12
  store float %v12, ptr %to12
  %from13 = getelementptr float, ptr addrspace(1) %in, i64 13
  %v13 = load float, ptr addrspace(1) %from13
  %to13 = getelementptr float, ptr %p, i64 13
  store float %v13, ptr %to13
  %from14 = getelementptr float, ptr addrspace(1) %in, i64 14
  %v14 = load float, ptr addrspace(1) %from14
  %to14 = getelementptr float, ptr %p, i64 14
  store float %v14, ptr %to14
  %from15 = getelementptr float, ptr addrspace(1) %in, i64 15
  %v15 = load float, ptr addrspace(1) %from15
  %to15 = getelementptr float, ptr %p, i64 15
  store float %v15, ptr %to15
  %from16 = getelementptr float, ptr addrspace(1) %in, i64 16
  %v16 = load float, ptr addrspace(1) %from16
  %to16 = getelementptr float, ptr %p, i64 16
  store float %v16, ptr %to16
  %from17 = getelementptr float, ptr addrspace(1) %in, i64 17
  %v17 = load float, ptr addrspace(1) %from17
  %to17 = getelementptr float, ptr %p, i64 17
  store float %v17, ptr %to17
  %from18 = getelementptr float, ptr addrspace(1) %in, i64 18
  %v18 = load float, ptr addrspace(1) %from18
  %to18 = getelementptr float, ptr %p, i64 18
  store float %v18, ptr %to18
  %from19 = getelementptr float, ptr addrspace(1) %in, i64 19
  %v19 = load float, ptr addrspace(1) %from19
  %to19 = getelementptr float, ptr %p, i64 19
  store float %v19, ptr %to19
  ret void
}

define internal void @chained(ptr %p) #0 {
  %p0 = getelementptr float, ptr %p, i64 0
  %v0.0 = load float, ptr %p0
  %s0.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v0.0, i32 16, i32 31)
  %v0.1 = fadd float %v0.0, %s0.0
  %s0.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v0.1, i32 8, i32 31)
  %v0.2 = fadd float %v0.1, %s0.1
  %s0.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v0.2, i32 4, i32 31)
  %v0.3 = fadd float %v0.2, %s0.2
  store float %v0.3, ptr %p0
  %p1 = getelementptr float, ptr %p, i64 1
  %v1.0 = load float, ptr %p1
  %s1.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v1.0, i32 16, i32 31)
  %v1.1 = fadd float %v1.0, %s1.0
  %s1.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v1.1, i32 8, i32 31)
  %v1.2 = fadd float %v1.1, %s1.1
  %s1.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v1.2, i32 4, i32 31)
  %v1.3 = fadd float %v1.2, %s1.2
  store float %v1.3, ptr %p1
  %p2 = getelementptr float, ptr %p, i64 2
  %v2.0 = load float, ptr %p2
  %s2.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v2.0, i32 16, i32 31)
  %v2.1 = fadd float %v2.0, %s2.0
  %s2.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v2.1, i32 8, i32 31)
  %v2.2 = fadd float %v2.1, %s2.1
  %s2.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v2.2, i32 4, i32 31)
  %v2.3 = fadd float %v2.2, %s2.2
  store float %v2.3, ptr %p2
  %p3 = getelementptr float, ptr %p, i64 3
  %v3.0 = load float, ptr %p3
  %s3.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v3.0, i32 16, i32 31)
  %v3.1 = fadd float %v3.0, %s3.0
  %s3.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v3.1, i32 8, i32 31)
  %v3.2 = fadd float %v3.1, %s3.1
  %s3.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v3.2, i32 4, i32 31)
  %v3.3 = fadd float %v3.2, %s3.2
  store float %v3.3, ptr %p3
  %p4 = getelementptr float, ptr %p, i64 4
  %v4.0 = load float, ptr %p4
  %s4.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v4.0, i32 16, i32 31)
  %v4.1 = fadd float %v4.0, %s4.0
  %s4.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v4.1, i32 8, i32 31)
  %v4.2 = fadd float %v4.1, %s4.1
  %s4.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v4.2, i32 4, i32 31)
  %v4.3 = fadd float %v4.2, %s4.2
  store float %v4.3, ptr %p4
  %p5 = getelementptr float, ptr %p, i64 5
  %v5.0 = load float, ptr %p5
  %s5.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v5.0, i32 16, i32 31)
  %v5.1 = fadd float %v5.0, %s5.0
  %s5.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v5.1, i32 8, i32 31)
  %v5.2 = fadd float %v5.1, %s5.1
  %s5.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v5.2, i32 4, i32 31)
  %v5.3 = fadd float %v5.2, %s5.2
  store float %v5.3, ptr %p5
  %p6 = getelementptr float, ptr %p, i64 6
  %v6.0 = load float, ptr %p6
  %s6.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v6.0, i32 16, i32 31)
  %v6.1 = fadd float %v6.0, %s6.0
  %s6.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v6.1, i32 8, i32 31)
  %v6.2 = fadd float %v6.1, %s6.1
  %s6.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v6.2, i32 4, i32 31)
  %v6.3 = fadd float %v6.2, %s6.2
  store float %v6.3, ptr %p6
  %p7 = getelementptr float, ptr %p, i64 7
  %v7.0 = load float, ptr %p7
  %s7.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v7.0, i32 16, i32 31)
  %v7.1 = fadd float %v7.0, %s7.0
  %s7.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v7.1, i32 8, i32 31)
  %v7.2 = fadd float %v7.1, %s7.1
  %s7.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v7.2, i32 4, i32 31)
  %v7.3 = fadd float %v7.2, %s7.2
  store float %v7.3, ptr %p7
  %p8 = getelementptr float, ptr %p, i64 8
  %v8.0 = load float, ptr %p8
  %s8.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v8.0, i32 16, i32 31)
  %v8.1 = fadd float %v8.0, %s8.0
  %s8.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v8.1, i32 8, i32 31)
  %v8.2 = fadd float %v8.1, %s8.1
  %s8.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v8.2, i32 4, i32 31)
  %v8.3 = fadd float %v8.2, %s8.2
  store float %v8.3, ptr %p8
  %p9 = getelementptr float, ptr %p, i64 9
  %v9.0 = load float, ptr %p9
  %s9.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v9.0, i32 16, i32 31)
  %v9.1 = fadd float %v9.0, %s9.0
  %s9.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v9.1, i32 8, i32 31)
  %v9.2 = fadd float %v9.1, %s9.1
  %s9.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v9.2, i32 4, i32 31)
  %v9.3 = fadd float %v9.2, %s9.2
  store float %v9.3, ptr %p9
  %p10 = getelementptr float, ptr %p, i64 10
  %v10.0 = load float, ptr %p10
  %s10.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v10.0, i32 16, i32 31)
  %v10.1 = fadd float %v10.0, %s10.0
  %s10.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v10.1, i32 8, i32 31)
  %v10.2 = fadd float %v10.1, %s10.1
  %s10.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v10.2, i32 4, i32 31)
  %v10.3 = fadd float %v10.2, %s10.2
  store float %v10.3, ptr %p10
  %p11 = getelementptr float, ptr %p, i64 11
  %v11.0 = load float, ptr %p11
  %s11.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v11.0, i32 16, i32 31)
  %v11.1 = fadd float %v11.0, %s11.0
  %s11.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v11.1, i32 8, i32 31)
  %v11.2 = fadd float %v11.1, %s11.1
  %s11.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v11.2, i32 4, i32 31)
  %v11.3 = fadd float %v11.2, %s11.2
  store float %v11.3, ptr %p11
  %p12 = getelementptr float, ptr %p, i64 12
  %v12.0 = load float, ptr %p12
  %s12.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v12.0, i32 16, i32 31)
  %v12.1 = fadd float %v12.0, %s12.0
  %s12.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v12.1, i32 8, i32 31)
  %v12.2 = fadd float %v12.1, %s12.1
  %s12.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v12.2, i32 4, i32 31)
  %v12.3 = fadd float %v12.2, %s12.2
  store float %v12.3, ptr %p12
  %p13 = getelementptr float, ptr %p, i64 13
  %v13.0 = load float, ptr %p13
  %s13.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v13.0, i32 16, i32 31)
  %v13.1 = fadd float %v13.0, %s13.0
  %s13.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v13.1, i32 8, i32 31)
  %v13.2 = fadd float %v13.1, %s13.1
  %s13.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v13.2, i32 4, i32 31)
  %v13.3 = fadd float %v13.2, %s13.2
  store float %v13.3, ptr %p13
  %p14 = getelementptr float, ptr %p, i64 14
  %v14.0 = load float, ptr %p14
  %s14.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v14.0, i32 16, i32 31)
  %v14.1 = fadd float %v14.0, %s14.0
  %s14.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v14.1, i32 8, i32 31)
  %v14.2 = fadd float %v14.1, %s14.1
  %s14.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v14.2, i32 4, i32 31)
  %v14.3 = fadd float %v14.2, %s14.2
  store float %v14.3, ptr %p14
  %p15 = getelementptr float, ptr %p, i64 15
  %v15.0 = load float, ptr %p15
  %s15.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v15.0, i32 16, i32 31)
  %v15.1 = fadd float %v15.0, %s15.0
  %s15.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v15.1, i32 8, i32 31)
  %v15.2 = fadd float %v15.1, %s15.1
  %s15.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v15.2, i32 4, i32 31)
  %v15.3 = fadd float %v15.2, %s15.2
  store float %v15.3, ptr %p15
  %p16 = getelementptr float, ptr %p, i64 16
  %v16.0 = load float, ptr %p16
  %s16.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v16.0, i32 16, i32 31)
  %v16.1 = fadd float %v16.0, %s16.0
  %s16.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v16.1, i32 8, i32 31)
  %v16.2 = fadd float %v16.1, %s16.1
  %s16.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v16.2, i32 4, i32 31)
  %v16.3 = fadd float %v16.2, %s16.2
  store float %v16.3, ptr %p16
  %p17 = getelementptr float, ptr %p, i64 17
  %v17.0 = load float, ptr %p17
  %s17.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v17.0, i32 16, i32 31)
  %v17.1 = fadd float %v17.0, %s17.0
  %s17.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v17.1, i32 8, i32 31)
  %v17.2 = fadd float %v17.1, %s17.1
  %s17.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v17.2, i32 4, i32 31)
  %v17.3 = fadd float %v17.2, %s17.2
  store float %v17.3, ptr %p17
  %p18 = getelementptr float, ptr %p, i64 18
  %v18.0 = load float, ptr %p18
  %s18.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v18.0, i32 16, i32 31)
  %v18.1 = fadd float %v18.0, %s18.0
  %s18.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v18.1, i32 8, i32 31)
  %v18.2 = fadd float %v18.1, %s18.1
  %s18.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v18.2, i32 4, i32 31)
  %v18.3 = fadd float %v18.2, %s18.2
  store float %v18.3, ptr %p18
  %p19 = getelementptr float, ptr %p, i64 19
  %v19.0 = load float, ptr %p19
  %s19.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v19.0, i32 16, i32 31)
  %v19.1 = fadd float %v19.0, %s19.0
  %s19.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v19.1, i32 8, i32 31)
  %v19.2 = fadd float %v19.1, %s19.1
  %s19.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v19.2, i32 4, i32 31)
  %v19.3 = fadd float %v19.2, %s19.2
  store float %v19.3, ptr %p19
  ret void
}

define internal void @once(ptr %p) #0 {
  %p0 = getelementptr float, ptr %p, i64 0
  %v0.0 = load float, ptr %p0
  %s0.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v0.0, i32 16, i32 31)
  %v0.1 = fadd float %v0.0, %s0.0
  store float %v0.1, ptr %p0
  %p1 = getelementptr float, ptr %p, i64 1
  %v1.0 = load float, ptr %p1
  %s1.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v1.0, i32 16, i32 31)
  %v1.1 = fadd float %v1.0, %s1.0
  store float %v1.1, ptr %p1
  %p2 = getelementptr float, ptr %p, i64 2
  %v2.0 = load float, ptr %p2
  %s2.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v2.0, i32 16, i32 31)
  %v2.1 = fadd float %v2.0, %s2.0
  store float %v2.1, ptr %p2
  %p3 = getelementptr float, ptr %p, i64 3
  %v3.0 = load float, ptr %p3
  %s3.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v3.0, i32 16, i32 31)
  %v3.1 = fadd float %v3.0, %s3.0
  store float %v3.1, ptr %p3
  %p4 = getelementptr float, ptr %p, i64 4
  %v4.0 = load float, ptr %p4
  %s4.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v4.0, i32 16, i32 31)
  %v4.1 = fadd float %v4.0, %s4.0
  store float %v4.1, ptr %p4
  %p5 = getelementptr float, ptr %p, i64 5
  %v5.0 = load float, ptr %p5
  %s5.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v5.0, i32 16, i32 31)
  %v5.1 = fadd float %v5.0, %s5.0
  store float %v5.1, ptr %p5
  %p6 = getelementptr float, ptr %p, i64 6
  %v6.0 = load float, ptr %p6
  %s6.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v6.0, i32 16, i32 31)
  %v6.1 = fadd float %v6.0, %s6.0
  store float %v6.1, ptr %p6
  %p7 = getelementptr float, ptr %p, i64 7
  %v7.0 = load float, ptr %p7
  %s7.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v7.0, i32 16, i32 31)
  %v7.1 = fadd float %v7.0, %s7.0
  store float %v7.1, ptr %p7
  %p8 = getelementptr float, ptr %p, i64 8
  %v8.0 = load float, ptr %p8
  %s8.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v8.0, i32 16, i32 31)
  %v8.1 = fadd float %v8.0, %s8.0
  store float %v8.1, ptr %p8
  %p9 = getelementptr float, ptr %p, i64 9
  %v9.0 = load float, ptr %p9
  %s9.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v9.0, i32 16, i32 31)
  %v9.1 = fadd float %v9.0, %s9.0
  store float %v9.1, ptr %p9
  %p10 = getelementptr float, ptr %p, i64 10
  %v10.0 = load float, ptr %p10
  %s10.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v10.0, i32 16, i32 31)
  %v10.1 = fadd float %v10.0, %s10.0
  store float %v10.1, ptr %p10
  %p11 = getelementptr float, ptr %p, i64 11
  %v11.0 = load float, ptr %p11
  %s11.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v11.0, i32 16, i32 31)
  %v11.1 = fadd float %v11.0, %s11.0
  store float %v11.1, ptr %p11
  %p12 = getelementptr float, ptr %p, i64 12
  %v12.0 = load float, ptr %p12
  %s12.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v12.0, i32 16, i32 31)
  %v12.1 = fadd float %v12.0, %s12.0
  store float %v12.1, ptr %p12
  %p13 = getelementptr float, ptr %p, i64 13
  %v13.0 = load float, ptr %p13
  %s13.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v13.0, i32 16, i32 31)
  %v13.1 = fadd float %v13.0, %s13.0
  store float %v13.1, ptr %p13
  %p14 = getelementptr float, ptr %p, i64 14
  %v14.0 = load float, ptr %p14
  %s14.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v14.0, i32 16, i32 31)
  %v14.1 = fadd float %v14.0, %s14.0
  store float %v14.1, ptr %p14
  %p15 = getelementptr float, ptr %p, i64 15
  %v15.0 = load float, ptr %p15
  %s15.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v15.0, i32 16, i32 31)
  %v15.1 = fadd float %v15.0, %s15.0
  store float %v15.1, ptr %p15
  %p16 = getelementptr float, ptr %p, i64 16
  %v16.0 = load float, ptr %p16
  %s16.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v16.0, i32 16, i32 31)
  %v16.1 = fadd float %v16.0, %s16.0
  store float %v16.1, ptr %p16
  %p17 = getelementptr float, ptr %p, i64 17
  %v17.0 = load float, ptr %p17
  %s17.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v17.0, i32 16, i32 31)
  %v17.1 = fadd float %v17.0, %s17.0
  store float %v17.1, ptr %p17
  %p18 = getelementptr float, ptr %p, i64 18
  %v18.0 = load float, ptr %p18
  %s18.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v18.0, i32 16, i32 31)
  %v18.1 = fadd float %v18.0, %s18.0
  store float %v18.1, ptr %p18
  %p19 = getelementptr float, ptr %p, i64 19
  %v19.0 = load float, ptr %p19
  %s19.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v19.0, i32 16, i32 31)
  %v19.1 = fadd float %v19.0, %s19.0
  store float %v19.1, ptr %p19
  ret void
}

define internal void @back(ptr %p, ptr addrspace(1) %out) #0 {
  %from0 = getelementptr float, ptr %p, i64 0
  %v0 = load float, ptr %from0
  %to0 = getelementptr float, ptr addrspace(1) %out, i64 0
  store float %v0, ptr addrspace(1) %to0
  %from1 = getelementptr float, ptr %p, i64 1
  %v1 = load float, ptr %from1
  %to1 = getelementptr float, ptr addrspace(1) %out, i64 1
  store float %v1, ptr addrspace(1) %to1
  %from2 = getelementptr float, ptr %p, i64 2
  %v2 = load float, ptr %from2
  %to2 = getelementptr float, ptr addrspace(1) %out, i64 2
  store float %v2, ptr addrspace(1) %to2
  %from3 = getelementptr float, ptr %p, i64 3
  %v3 = load float, ptr %from3
  %to3 = getelementptr float, ptr addrspace(1) %out, i64 3
  store float %v3, ptr addrspace(1) %to3
  %from4 = getelementptr float, ptr %p, i64 4
  %v4 = load float, ptr %from4
  %to4 = getelementptr float, ptr addrspace(1) %out, i64 4
  store float %v4, ptr addrspace(1) %to4
  %from5 = getelementptr float, ptr %p, i64 5
  %v5 = load float, ptr %from5
  %to5 = getelementptr float, ptr addrspace(1) %out, i64 5
  store float %v5, ptr addrspace(1) %to5
  %from6 = getelementptr float, ptr %p, i64 6
  %v6 = load float, ptr %from6
  %to6 = getelementptr float, ptr addrspace(1) %out, i64 6
  store float %v6, ptr addrspace(1) %to6
  %from7 = getelementptr float, ptr %p, i64 7
  %v7 = load float, ptr %from7
  %to7 = getelementptr float, ptr addrspace(1) %out, i64 7
  store float %v7, ptr addrspace(1) %to7
  %from8 = getelementptr float, ptr %p, i64 8
  %v8 = load float, ptr %from8
  %to8 = getelementptr float, ptr addrspace(1) %out, i64 8
  store float %v8, ptr addrspace(1) %to8
  %from9 = getelementptr float, ptr %p, i64 9
  %v9 = load float, ptr %from9
  %to9 = getelementptr float, ptr addrspace(1) %out, i64 9
  store float %v9, ptr addrspace(1) %to9
  %from10 = getelementptr float, ptr %p, i64 10
  %v10 = load float, ptr %from10
  %to10 = getelementptr float, ptr addrspace(1) %out, i64 10
  store float %v10, ptr addrspace(1) %to10
  %from11 = getelementptr float, ptr %p, i64 11
  %v11 = load float, ptr %from11
  %to11 = getelementptr float, ptr addrspace(1) %out, i64 11
  store float %v11, ptr addrspace(1) %to11
  %from12 = getelementptr float, ptr %p, i64 12
  %v12 = load float, ptr %from12
  %to12 = getelementptr float, ptr addrspace(1) %out, i64 12
  store float %v12, ptr addrspace(1) %to12
  %from13 = getelementptr float, ptr %p, i64 13
  %v13 = load float, ptr %from13
  %to13 = getelementptr float, ptr addrspace(1) %out, i64 13
  store float %v13, ptr addrspace(1) %to13
  %from14 = getelementptr float, ptr %p, i64 14
  %v14 = load float, ptr %from14
  %to14 = getelementptr float, ptr addrspace(1) %out, i64 14
  store float %v14, ptr addrspace(1) %to14
  %from15 = getelementptr float, ptr %p, i64 15
  %v15 = load float, ptr %from15
  %to15 = getelementptr float, ptr addrspace(1) %out, i64 15
  store float %v15, ptr addrspace(1) %to15
  %from16 = getelementptr float, ptr %p, i64 16
  %v16 = load float, ptr %from16
  %to16 = getelementptr float, ptr addrspace(1) %out, i64 16
  store float %v16, ptr addrspace(1) %to16
  %from17 = getelementptr float, ptr %p, i64 17
  %v17 = load float, ptr %from17
  %to17 = getelementptr float, ptr addrspace(1) %out, i64 17
  store float %v17, ptr addrspace(1) %to17
  %from18 = getelementptr float, ptr %p, i64 18
  %v18 = load float, ptr %from18
  %to18 = getelementptr float, ptr addrspace(1) %out, i64 18
  store float %v18, ptr addrspace(1) %to18
  %from19 = getelementptr float, ptr %p, i64 19
  %v19 = load float, ptr %from19
  %to19 = getelementptr float, ptr addrspace(1) %out, i64 19
  store float %v19, ptr addrspace(1) %to19
  ret void
}

declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)

attributes #0 = { "target-cpu"="sm_90" }
