; A result has the register that an operand leaves where that is free, the sum that a
; multiply-accumulate adds to first, and what a value needs while it is made anew is one
; register. Left out, this kernel takes one more than values are live.
; RUN: %gpu -mcpu=sm_90 -warpalloc-spills=here -nvptx-regalloc-pressure-limit=255 -print-regalloc-stats %s -o /dev/null 2>%t.stats
; RUN: %FileCheck %s <%t.stats
; RUN: %gpu -mcpu=sm_90 -warpalloc-spills=here -warpalloc-disable=in-place -nvptx-regalloc-pressure-limit=255 -print-regalloc-stats %s -o /dev/null 2>%t.without.stats
; RUN: %FileCheck %s --check-prefix=WITHOUT <%t.without.stats

; CHECK:   function=results used.R=7 maxlive.R=7
; WITHOUT: function=results used.R=8 maxlive.R=7
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @results() {
bb:
  %load = load i32, ptr null, align 4
  %call = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %call1 = tail call i32 @llvm.nvvm.shfl.sync.down.i32(i32 0, i32 0, i32 0, i32 0)
  %call2 = tail call i32 @llvm.nvvm.shfl.sync.down.i32(i32 0, i32 0, i32 0, i32 0)
  %zext = zext i32 %call2 to i64
  %shl = shl i64 %zext, 32
  %zext3 = zext i32 %call1 to i64
  %or = or i64 %shl, %zext3
  %bitcast = bitcast i64 %or to double
  %fadd = fadd double 0.000000e+00, %bitcast
  %bitcast4 = bitcast double %fadd to i64
  %trunc = trunc i64 %bitcast4 to i32
  %call5 = tail call i32 @llvm.nvvm.shfl.sync.down.i32(i32 0, i32 %trunc, i32 0, i32 0)
  %zext6 = zext i32 %call to i64
  %icmp = icmp eq i32 %call, 0
  br i1 %icmp, label %bb7, label %bb8

bb7:
  br i1 false, label %bb8, label %bb8

bb8:
  %call9 = tail call i32 @llvm.nvvm.shfl.sync.down.i32(i32 0, i32 0, i32 0, i32 0)
  %zext10 = zext i32 %call9 to i64
  %shl11 = shl i64 %zext10, 32
  %call12 = tail call i32 @llvm.nvvm.shfl.sync.down.i32(i32 0, i32 0, i32 0, i32 0)
  %zext13 = zext i32 %call12 to i64
  %or14 = or i64 %shl11, %zext13
  %bitcast15 = bitcast i64 %or14 to double
  %fadd16 = fadd double 0.000000e+00, %bitcast15
  %bitcast17 = bitcast double %fadd16 to i64
  %trunc18 = trunc i64 %bitcast17 to i32
  %call19 = tail call i32 @llvm.nvvm.shfl.sync.down.i32(i32 0, i32 %trunc18, i32 0, i32 0)
  %getelementptr = getelementptr double, ptr addrspacecast (ptr addrspace(3) null to ptr), i64 %zext6
  store double 0.000000e+00, ptr %getelementptr, align 8
  %shl20 = shl i32 %load, 1
  %zext21 = zext i32 %shl20 to i64
  %getelementptr22 = getelementptr double, ptr null, i64 %zext21
  store double 0.000000e+00, ptr %getelementptr22, align 8
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
