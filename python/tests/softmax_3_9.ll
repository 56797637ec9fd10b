; The kernel softmax of kernels.py for sm_90, as Triton 3.9.0 hands it to its code generator.
; ModuleID = 'LLVMDialectModule'
source_filename = "LLVMDialectModule"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

@global_smem = external local_unnamed_addr addrspace(3) global [0 x i8], align 16

; Function Attrs: nounwind
define ptx_kernel void @softmax(ptr addrspace(1) %0, ptr addrspace(1) %1, i32 %2, i32 %3, ptr addrspace(1) nofree readnone captures(none) %4, ptr addrspace(1) nofree readnone captures(none) %5) local_unnamed_addr #0 !dbg !4 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !12
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !13
  %9 = shl nuw nsw i32 %8, 2, !dbg !13
  %10 = and i32 %9, 508, !dbg !13
  %11 = or disjoint i32 %10, 512, !dbg !13
  %12 = icmp slt i32 %10, %3, !dbg !14
  %13 = icmp slt i32 %11, %3, !dbg !14
  %14 = mul i32 %2, %7, !dbg !15
  %15 = sext i32 %14 to i64, !dbg !16
  %16 = getelementptr [4 x i8], ptr addrspace(1) %0, i64 %15, !dbg !16
  %17 = zext nneg i32 %10 to i64, !dbg !16
  %18 = getelementptr [4 x i8], ptr addrspace(1) %16, i64 %17, !dbg !16
  %19 = zext nneg i32 %11 to i64, !dbg !16
  %20 = getelementptr [4 x i8], ptr addrspace(1) %16, i64 %19, !dbg !16
  %21 = tail call { i32, i32, i32, i32 } asm sideeffect "mov.u32 $0, $4;\0A\09mov.u32 $1, $5;\0A\09mov.u32 $2, $6;\0A\09mov.u32 $3, $7;\0A\09@$9 ld.global.v4.b32 { $0, $1, $2, $3 }, [ $8 + 0 ];", "=r,=r,=r,=r,r,r,r,r,l,b"(i32 -8388608, i32 -8388608, i32 -8388608, i32 -8388608, ptr addrspace(1) %18, i1 %12) #7, !dbg !17
  %22 = extractvalue { i32, i32, i32, i32 } %21, 0, !dbg !17
  %23 = extractvalue { i32, i32, i32, i32 } %21, 1, !dbg !17
  %24 = extractvalue { i32, i32, i32, i32 } %21, 2, !dbg !17
  %25 = extractvalue { i32, i32, i32, i32 } %21, 3, !dbg !17
  %26 = tail call { i32, i32, i32, i32 } asm sideeffect "mov.u32 $0, $4;\0A\09mov.u32 $1, $5;\0A\09mov.u32 $2, $6;\0A\09mov.u32 $3, $7;\0A\09@$9 ld.global.v4.b32 { $0, $1, $2, $3 }, [ $8 + 0 ];", "=r,=r,=r,=r,r,r,r,r,l,b"(i32 -8388608, i32 -8388608, i32 -8388608, i32 -8388608, ptr addrspace(1) %20, i1 %13) #7, !dbg !17
  %27 = extractvalue { i32, i32, i32, i32 } %26, 0, !dbg !17
  %28 = extractvalue { i32, i32, i32, i32 } %26, 1, !dbg !17
  %29 = extractvalue { i32, i32, i32, i32 } %26, 2, !dbg !17
  %30 = extractvalue { i32, i32, i32, i32 } %26, 3, !dbg !17
  %31 = lshr i32 %8, 3, !dbg !18
  %32 = and i32 %31, 12, !dbg !18
  %33 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %32, !dbg !18
  %34 = and i32 %9, 12, !dbg !18
  %35 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %34, !dbg !18
  %36 = insertelement <8 x i32> poison, i32 %22, i64 0, !dbg !17
  %37 = insertelement <8 x i32> %36, i32 %23, i64 1, !dbg !17
  %38 = insertelement <8 x i32> %37, i32 %24, i64 2, !dbg !17
  %39 = insertelement <8 x i32> %38, i32 %25, i64 3, !dbg !17
  %40 = insertelement <8 x i32> %39, i32 %27, i64 4, !dbg !17
  %41 = insertelement <8 x i32> %40, i32 %28, i64 5, !dbg !17
  %42 = insertelement <8 x i32> %41, i32 %29, i64 6, !dbg !17
  %43 = insertelement <8 x i32> %42, i32 %30, i64 7, !dbg !17
  %44 = bitcast <8 x i32> %43 to <8 x float>, !dbg !17
  %45 = bitcast i32 %22 to float, !dbg !23
  %46 = bitcast i32 %23 to float, !dbg !23
  %47 = tail call float @llvm.maxnum.f32(float %45, float %46), !dbg !23
  %48 = bitcast i32 %24 to float, !dbg !23
  %49 = bitcast i32 %25 to float, !dbg !23
  %50 = tail call float @llvm.maxnum.f32(float %48, float %49), !dbg !23
  %51 = bitcast i32 %27 to float, !dbg !23
  %52 = bitcast i32 %28 to float, !dbg !23
  %53 = tail call float @llvm.maxnum.f32(float %51, float %52), !dbg !23
  %54 = bitcast i32 %29 to float, !dbg !23
  %55 = bitcast i32 %30 to float, !dbg !23
  %56 = tail call float @llvm.maxnum.f32(float %54, float %55), !dbg !23
  %57 = tail call float @llvm.maxnum.f32(float %47, float %50), !dbg !23
  %58 = tail call float @llvm.maxnum.f32(float %53, float %56), !dbg !23
  %59 = tail call float @llvm.maxnum.f32(float %57, float %58), !dbg !23
  %60 = bitcast float %59 to i32, !dbg !18
  %61 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %60, i32 16, i32 31), !dbg !18
  %62 = bitcast i32 %61 to float, !dbg !18
  %63 = tail call float @llvm.maxnum.f32(float %59, float %62), !dbg !23
  %64 = bitcast float %63 to i32, !dbg !18
  %65 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %64, i32 8, i32 31), !dbg !18
  %66 = bitcast i32 %65 to float, !dbg !18
  %67 = tail call float @llvm.maxnum.f32(float %63, float %66), !dbg !23
  %68 = bitcast float %67 to i32, !dbg !18
  %69 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %68, i32 4, i32 31), !dbg !18
  %70 = bitcast i32 %69 to float, !dbg !18
  %71 = tail call float @llvm.maxnum.f32(float %67, float %70), !dbg !23
  %72 = bitcast float %71 to i32, !dbg !18
  %73 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %72, i32 2, i32 31), !dbg !18
  %74 = bitcast i32 %73 to float, !dbg !18
  %75 = tail call float @llvm.maxnum.f32(float %71, float %74), !dbg !23
  %76 = bitcast float %75 to i32, !dbg !18
  %77 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %76, i32 1, i32 31), !dbg !18
  %78 = bitcast i32 %77 to float, !dbg !18
  %79 = tail call float @llvm.maxnum.f32(float %75, float %78), !dbg !23
  store float %79, ptr addrspace(3) %33, align 4, !dbg !18
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !18
  %80 = load i32, ptr addrspace(3) %35, align 4, !dbg !18
  %81 = bitcast i32 %80 to float, !dbg !18
  %82 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %80, i32 2, i32 31), !dbg !18
  %83 = bitcast i32 %82 to float, !dbg !18
  %84 = tail call float @llvm.maxnum.f32(float %81, float %83), !dbg !23
  %85 = bitcast float %84 to i32, !dbg !18
  %86 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %85, i32 1, i32 31), !dbg !18
  %87 = bitcast i32 %86 to float, !dbg !18
  %88 = tail call float @llvm.maxnum.f32(float %84, float %87), !dbg !23
  %89 = insertelement <8 x float> poison, float %88, i64 0, !dbg !24
  %90 = shufflevector <8 x float> %89, <8 x float> poison, <8 x i32> zeroinitializer, !dbg !24
  %91 = fsub <8 x float> %44, %90, !dbg !24
  %92 = fmul <8 x float> %91, splat (float f0x3FB8AA3B), !dbg !25
  %93 = extractelement <8 x float> %92, i64 0, !dbg !25
  %94 = tail call float @llvm.nvvm.ex2.approx.f32(float %93), !dbg !25
  %95 = extractelement <8 x float> %92, i64 1, !dbg !25
  %96 = tail call float @llvm.nvvm.ex2.approx.f32(float %95), !dbg !25
  %97 = extractelement <8 x float> %92, i64 2, !dbg !25
  %98 = tail call float @llvm.nvvm.ex2.approx.f32(float %97), !dbg !25
  %99 = extractelement <8 x float> %92, i64 3, !dbg !25
  %100 = tail call float @llvm.nvvm.ex2.approx.f32(float %99), !dbg !25
  %101 = extractelement <8 x float> %92, i64 4, !dbg !25
  %102 = tail call float @llvm.nvvm.ex2.approx.f32(float %101), !dbg !25
  %103 = extractelement <8 x float> %92, i64 5, !dbg !25
  %104 = tail call float @llvm.nvvm.ex2.approx.f32(float %103), !dbg !25
  %105 = extractelement <8 x float> %92, i64 6, !dbg !25
  %106 = tail call float @llvm.nvvm.ex2.approx.f32(float %105), !dbg !25
  %107 = extractelement <8 x float> %92, i64 7, !dbg !25
  %108 = tail call float @llvm.nvvm.ex2.approx.f32(float %107), !dbg !25
  %109 = getelementptr [4 x i8], ptr addrspace(1) %1, i64 %15, !dbg !26
  %110 = getelementptr [4 x i8], ptr addrspace(1) %109, i64 %17, !dbg !26
  %111 = getelementptr [4 x i8], ptr addrspace(1) %109, i64 %19, !dbg !26
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !27
  %112 = fadd float %94, %96, !dbg !29
  %113 = fadd float %98, %100, !dbg !29
  %114 = fadd float %102, %104, !dbg !29
  %115 = fadd float %106, %108, !dbg !29
  %116 = fadd float %112, %113, !dbg !29
  %117 = fadd float %114, %115, !dbg !29
  %118 = fadd float %116, %117, !dbg !29
  %119 = bitcast float %118 to i32, !dbg !27
  %120 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %119, i32 16, i32 31), !dbg !27
  %121 = bitcast i32 %120 to float, !dbg !27
  %122 = fadd float %118, %121, !dbg !29
  %123 = bitcast float %122 to i32, !dbg !27
  %124 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %123, i32 8, i32 31), !dbg !27
  %125 = bitcast i32 %124 to float, !dbg !27
  %126 = fadd float %122, %125, !dbg !29
  %127 = bitcast float %126 to i32, !dbg !27
  %128 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %127, i32 4, i32 31), !dbg !27
  %129 = bitcast i32 %128 to float, !dbg !27
  %130 = fadd float %126, %129, !dbg !29
  %131 = bitcast float %130 to i32, !dbg !27
  %132 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %131, i32 2, i32 31), !dbg !27
  %133 = bitcast i32 %132 to float, !dbg !27
  %134 = fadd float %130, %133, !dbg !29
  %135 = bitcast float %134 to i32, !dbg !27
  %136 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %135, i32 1, i32 31), !dbg !27
  %137 = bitcast i32 %136 to float, !dbg !27
  %138 = fadd float %134, %137, !dbg !29
  store float %138, ptr addrspace(3) %33, align 4, !dbg !27
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !27
  %139 = load i32, ptr addrspace(3) %35, align 4, !dbg !27
  %140 = bitcast i32 %139 to float, !dbg !27
  %141 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %139, i32 2, i32 31), !dbg !27
  %142 = bitcast i32 %141 to float, !dbg !27
  %143 = fadd float %140, %142, !dbg !29
  %144 = bitcast float %143 to i32, !dbg !27
  %145 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %144, i32 1, i32 31), !dbg !27
  %146 = bitcast i32 %145 to float, !dbg !27
  %147 = fadd float %143, %146, !dbg !29
  %148 = tail call float @llvm.nvvm.div.full(float %94, float %147), !dbg !30
  %149 = tail call float @llvm.nvvm.div.full(float %96, float %147), !dbg !30
  %150 = tail call float @llvm.nvvm.div.full(float %98, float %147), !dbg !30
  %151 = tail call float @llvm.nvvm.div.full(float %100, float %147), !dbg !30
  %152 = tail call float @llvm.nvvm.div.full(float %102, float %147), !dbg !30
  %153 = tail call float @llvm.nvvm.div.full(float %104, float %147), !dbg !30
  %154 = tail call float @llvm.nvvm.div.full(float %106, float %147), !dbg !30
  %155 = tail call float @llvm.nvvm.div.full(float %108, float %147), !dbg !30
  %156 = bitcast float %148 to i32, !dbg !31
  %157 = bitcast float %149 to i32, !dbg !31
  %158 = bitcast float %150 to i32, !dbg !31
  %159 = bitcast float %151 to i32, !dbg !31
  tail call void asm sideeffect "@$5 st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l,b"(i32 %156, i32 %157, i32 %158, i32 %159, ptr addrspace(1) %110, i1 %12) #7, !dbg !31
  %160 = bitcast float %152 to i32, !dbg !31
  %161 = bitcast float %153 to i32, !dbg !31
  %162 = bitcast float %154 to i32, !dbg !31
  %163 = bitcast float %155 to i32, !dbg !31
  tail call void asm sideeffect "@$5 st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l,b"(i32 %160, i32 %161, i32 %162, i32 %163, ptr addrspace(1) %111, i1 %13) #7, !dbg !31
  ret void, !dbg !32
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.maxnum.f32(float, float) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) #3

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.ex2.approx.f32(float) #5

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.div.full(float, float) #6

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #4 = { convergent nocallback nounwind }
attributes #5 = { mustprogress nocallback nofree nosync nounwind willreturn memory(none) }
attributes #6 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind willreturn memory(none) }
attributes #7 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, producer: "triton", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernels.py", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
!4 = distinct !DISubprogram(name: "softmax", linkageName: "softmax", scope: !1, file: !1, line: 23, type: !5, scopeLine: 23, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!5 = !DISubroutineType(cc: DW_CC_normal, types: !6)
!6 = !{null, !7, !7, !9, !9, !10, !10}
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "pointer", baseType: !8, size: 64, dwarfAddressSpace: 1)
!8 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "pointer", baseType: !11, size: 64, dwarfAddressSpace: 1)
!11 = !DIBasicType(name: "unknown_type", encoding: DW_ATE_signed)
!12 = !DILocation(line: 24, column: 11, scope: !4)
!13 = !DILocation(line: 25, column: 10, scope: !4)
!14 = !DILocation(line: 26, column: 14, scope: !4)
!15 = !DILocation(line: 27, column: 26, scope: !4)
!16 = !DILocation(line: 27, column: 22, scope: !4)
!17 = !DILocation(line: 27, column: 14, scope: !4)
!18 = !DILocation(line: 216, column: 16, scope: !19, inlinedAt: !21)
!19 = distinct !DILexicalBlockFile(scope: !4, file: !20, discriminator: 0)
!20 = !DIFile(filename: "standard.py", directory: ".")
!21 = !DILocation(line: 28, column: 30, scope: !22)
!22 = distinct !DILexicalBlockFile(scope: !4, file: !1, discriminator: 0)
!23 = !DILocation(line: 196, column: 12, scope: !19, inlinedAt: !18)
!24 = !DILocation(line: 28, column: 21, scope: !4)
!25 = !DILocation(line: 28, column: 14, scope: !4)
!26 = !DILocation(line: 29, column: 14, scope: !4)
!27 = !DILocation(line: 314, column: 12, scope: !19, inlinedAt: !28)
!28 = !DILocation(line: 29, column: 48, scope: !22)
!29 = !DILocation(line: 287, column: 12, scope: !19, inlinedAt: !27)
!30 = !DILocation(line: 29, column: 39, scope: !4)
!31 = !DILocation(line: 29, column: 5, scope: !4)
!32 = !DILocation(line: 23, column: 1, scope: !4)
