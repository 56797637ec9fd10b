; An array of values that a warp shares, promoted, lies in the warp's registers: the
; allocator finds them uniform without being told.
; RUN: %llc -mcpu=sm_90 -regalloc=warpalloc -warpalloc-spills=here -print-regalloc-stats %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=BEFORE
; RUN: %llc -mcpu=sm_90 -warpalloc-prepare -regalloc=warpalloc -warpalloc-spills=here -verify-regalloc -print-regalloc-stats %s -o /dev/null 2>&1 | %FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Its element is chosen by a uniform predicate, which only the warp's registers can have.
; BEFORE: function=shared
; BEFORE-NOT: used.UP
; CHECK: function=shared {{.*}} used.UR=3 {{.*}} used.UP=1
define ptx_kernel void @shared(i32 %x, i32 %y, i32 %i, ptr addrspace(1) %out) {
  %a = alloca [2 x i32]
  %second = getelementptr inbounds i8, ptr %a, i64 4
  %product = mul i32 %x, %y
  store i32 %x, ptr %a
  store i32 %product, ptr %second
  %from = getelementptr inbounds [2 x i32], ptr %a, i32 0, i32 %i
  %chosen = load i32, ptr %from
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %sum = add i32 %chosen, %tid
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i32 %tid
  store i32 %sum, ptr addrspace(1) %to
  ret void
}
