; Of the kind that Julia's GPUCompiler hands to its llc: already optimised, the state of the
; kernel first, arrays as structures by value, bounds that are checked, NVVM's attributes.
; `saxpy` is launched as it is, `sum` with maxregs=40.
source_filename = "start"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@exception = private unnamed_addr constant [10 x i8] c"exception\00", align 1
@format = internal addrspace(1) constant [40 x i8] c"ERROR: a %s was thrown in the kernel.\0A\00\00", align 1

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
declare i32 @vprintf(ptr, ptr)
declare void @llvm.trap()

define internal fastcc void @gpu_report_exception(ptr %name) unnamed_addr #2 {
top:
  %arguments = alloca { ptr }, align 8
  store ptr %name, ptr %arguments, align 8
  %0 = call i32 @vprintf(ptr addrspacecast (ptr addrspace(1) @format to ptr), ptr nonnull %arguments)
  ret void
}

define internal fastcc void @julia_throw_boundserror(i64 %state) unnamed_addr #3 {
top:
  call fastcc void @gpu_report_exception(ptr nonnull @exception)
  %flag = inttoptr i64 %state to ptr
  store volatile i32 1, ptr %flag, align 4
  call void @llvm.trap()
  unreachable
}

define ptx_kernel void @_Z5saxpy({ i64, i32 } %state, { ptr addrspace(1), i64, [1 x i64], i64 } %y, { ptr addrspace(1), i64, [1 x i64], i64 } %x, float %a) local_unnamed_addr #0 {
conversion:
  %.y = extractvalue { ptr addrspace(1), i64, [1 x i64], i64 } %y, 0
  %length = extractvalue { ptr addrspace(1), i64, [1 x i64], i64 } %y, 3
  %.x = extractvalue { ptr addrspace(1), i64, [1 x i64], i64 } %x, 0
  %length.x = extractvalue { ptr addrspace(1), i64, [1 x i64], i64 } %x, 3
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !range !2
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !range !3
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !4
  %0 = mul i32 %block, %threads
  %1 = add i32 %0, %thread
  %2 = zext i32 %1 to i64
  %3 = icmp ult i64 %2, %length
  br i1 %3, label %L1, label %L3

L1:
  %4 = icmp ult i64 %2, %length.x
  br i1 %4, label %L2, label %L4

L2:
  %5 = getelementptr inbounds float, ptr addrspace(1) %.x, i64 %2
  %6 = load float, ptr addrspace(1) %5, align 4
  %7 = getelementptr inbounds float, ptr addrspace(1) %.y, i64 %2
  %8 = load float, ptr addrspace(1) %7, align 4
  %9 = fmul float %6, %a
  %10 = fadd float %8, %9
  store float %10, ptr addrspace(1) %7, align 4
  br label %L3

L3:
  ret void

L4:
  %11 = extractvalue { i64, i32 } %state, 0
  call fastcc void @julia_throw_boundserror(i64 %11)
  unreachable
}

define ptx_kernel void @_Z3sum({ i64, i32 } %state, { ptr addrspace(1), i64, [1 x i64], i64 } %to, { ptr addrspace(1), i64, [1 x i64], i64 } %from) local_unnamed_addr #4 {
conversion:
  %.to = extractvalue { ptr addrspace(1), i64, [1 x i64], i64 } %to, 0
  %.from = extractvalue { ptr addrspace(1), i64, [1 x i64], i64 } %from, 0
  %length = extractvalue { ptr addrspace(1), i64, [1 x i64], i64 } %from, 3
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !4
  %first = zext nneg i32 %thread to i64
  br label %L1

L1:
  %at = phi i64 [ %first, %conversion ], [ %next, %L2 ]
  %sum = phi double [ 0.000000e+00, %conversion ], [ %added, %L2 ]
  %more = icmp slt i64 %at, %length
  br i1 %more, label %L2, label %L3

L2:
  %0 = getelementptr inbounds double, ptr addrspace(1) %.from, i64 %at
  %1 = load double, ptr addrspace(1) %0, align 8
  %added = fadd double %sum, %1
  %next = add i64 %at, 256
  br label %L1

L3:
  %2 = getelementptr inbounds double, ptr addrspace(1) %.to, i64 %first
  store double %sum, ptr addrspace(1) %2, align 8
  ret void
}

attributes #0 = { "probe-stack"="inline-asm" }
attributes #1 = { nounwind speculatable willreturn memory(none) }
attributes #2 = { noinline "probe-stack"="inline-asm" }
attributes #3 = { noinline noreturn "probe-stack"="inline-asm" }
attributes #4 = { "nvvm.maxnreg"="40" "nvvm.maxntid"="256,1,1" "probe-stack"="inline-asm" }

!llvm.module.flags = !{!0, !1}
!nvvm.annotations = !{!5}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!2 = !{i32 0, i32 2147483647}
!3 = !{i32 1, i32 1025}
!4 = !{i32 0, i32 1024}
!5 = !{ptr @_Z3sum, !"maxntidx", i32 256, !"maxntidy", i32 1, !"maxntidz", i32 1, !"maxnreg", i32 40}
