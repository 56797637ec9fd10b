; Of the kind that cuda-oxide writes for its llc: text, bare parameters, slices as a pointer and
; a length, everything convergent, launch bounds as annotations, a function of libdevice.
source_filename = "norms"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@llvm.used = appending global [1 x ptr] [ptr @norms], section "llvm.metadata"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare float @__nv_sqrtf(float)

define ptx_kernel void @norms(ptr %v0, i64 %v1, ptr %v2, i64 %v3) #0 {
entry:
  %v4 = call i64 @index()
  %v5 = icmp ult i64 %v4, %v3
  br i1 %v5, label %bb0, label %bb3
bb0:
  %v6 = mul i64 %v4, 16
  br label %bb1
bb1:
  %v7 = phi i64 [ 0, %bb0 ], [ %v15, %bb2 ]
  %v8 = phi float [ 0.000000e+00, %bb0 ], [ %v14, %bb2 ]
  %v9 = add i64 %v6, %v7
  %v10 = icmp ult i64 %v9, %v1
  br i1 %v10, label %bb2, label %bb4
bb2:
  %v11 = getelementptr inbounds float, ptr %v0, i64 %v9
  %v12 = load float, ptr %v11, align 4
  %v13 = fmul contract float %v12, %v12
  %v14 = fadd contract float %v8, %v13
  %v15 = add nuw nsw i64 %v7, 1
  %v16 = icmp ult i64 %v15, 16
  br i1 %v16, label %bb1, label %bb5
bb5:
  %v17 = call float @__nv_sqrtf(float %v14)
  %v18 = getelementptr inbounds float, ptr %v2, i64 %v4
  store float %v17, ptr %v18, align 4
  br label %bb3
bb3:
  ret void
bb4:
  call void @llvm.trap()
  unreachable
}

define i64 @index() alwaysinline #0 {
entry:
  %v0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v1 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %v2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v3 = zext i32 %v0 to i64
  %v4 = zext i32 %v1 to i64
  %v5 = zext i32 %v2 to i64
  %v6 = mul i64 %v3, %v4
  %v7 = add i64 %v6, %v5
  ret i64 %v7
}

declare void @llvm.trap()

attributes #0 = { convergent }

!0 = !{ptr @norms, !"maxntidx", i32 256}
!1 = !{ptr @norms, !"maxntidy", i32 1}
!2 = !{ptr @norms, !"maxntidz", i32 1}
!3 = !{ptr @norms, !"minctasm", i32 2}
!nvvm.annotations = !{!0, !1, !2, !3}
