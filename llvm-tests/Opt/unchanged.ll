; What no decision touches stays as it is, and so does what is not for NVPTX; the same input
; gives the same output, and -g no other code.
; RUN: %opt -passes=warpalloc -S %s -o %t.1.ll
; RUN: %opt -passes=warpalloc -S %s -o %t.2.ll
; RUN: cmp %t.1.ll %t.2.ll
; RUN: %FileCheck %s <%t.1.ll
; RUN: %opt -passes='warpalloc,strip' -S %s -o %t.after.ll
; RUN: %opt -passes='strip,warpalloc' -S %s -o %t.before.ll
; RUN: cmp %t.after.ll %t.before.ll
; RUN: %llc -mtriple=x86_64 -warpalloc-prepare -print-after-all %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=OTHER

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; OTHER-NOT: WarpallocChooseCallsPass

; CHECK-LABEL: define ptx_kernel void @nothing_to_do
; CHECK-NEXT: %twice = add i32 %x, %x
; CHECK-NEXT: %zero = sub i32 %twice, %twice
; CHECK-NEXT: store i32 %zero, ptr addrspace(1) %out
define ptx_kernel void @nothing_to_do(i32 %x, ptr addrspace(1) %out) {
  %twice = add i32 %x, %x
  %zero = sub i32 %twice, %twice
  store i32 %zero, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @debug
; CHECK-NOT: alloca
; CHECK: ret void
define ptx_kernel void @debug(i32 %i, ptr addrspace(1) %out) !dbg !5 {
entry:
  %a = alloca [2 x float]
    #dbg_declare(ptr %a, !8, !DIExpression(), !10)
  br label %fill, !dbg !10
fill:
  %k = phi i64 [ 0, %entry ], [ %next, %fill ], !dbg !10
    #dbg_value(i64 %k, !9, !DIExpression(), !10)
  %to = getelementptr inbounds float, ptr %a, i64 %k, !dbg !10
  store float 1.0, ptr %to, !dbg !10
  %next = add i64 %k, 1, !dbg !10
  %more = icmp ult i64 %next, 2, !dbg !10
  br i1 %more, label %fill, label %end, !dbg !10
end:
  %from = getelementptr inbounds float, ptr %a, i32 %i, !dbg !10
  %x = load float, ptr %from, !dbg !10
  store float %x, ptr addrspace(1) %out, !dbg !10
  ret void, !dbg !10
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{null}
!5 = distinct !DISubprogram(name: "debug", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!7 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "a", scope: !5, file: !1, line: 2, type: !6)
!9 = !DILocalVariable(name: "k", scope: !5, file: !1, line: 3, type: !7)
!10 = !DILocation(line: 4, scope: !5)
