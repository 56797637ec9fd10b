; llc compiles a module without a triple for the machine that it runs on. Where a budget of
; a GPU or a GPU is named, that is a mistake, and told instead of a crash report on the
; first intrinsic. With -mtriple all is well.
; RUN: rm -f %t.ptx
; RUN: %not %llc -regalloc=warpalloc -nvptx-regalloc-pressure-limit=32 %s -o %t.ptx 2>%t.err
; RUN: %FileCheck %s --check-prefixes=ERROR,LIMIT --implicit-check-not="bug report" <%t.err
; RUN: %not %llc -regalloc=warpalloc -mcpu=sm_90 %s -o %t.ptx 2>%t.err
; RUN: %FileCheck %s --check-prefixes=ERROR,SM --implicit-check-not="bug report" <%t.err
; RUN: %not test -f %t.ptx
; RUN: %llc -regalloc=warpalloc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 -nvptx-regalloc-pressure-limit=32 %s -o - | %FileCheck %s

; ERROR:      warpalloc: '{{.*}}missing-triple.ll' has no target triple and is compiled for
; LIMIT-SAME: but -nvptx-regalloc-pressure-limit is for NVPTX: give -mtriple=nvptx64-nvidia-cuda
; SM-SAME:    but -mcpu=sm_90 is for NVPTX: give -mtriple=nvptx64-nvidia-cuda
; CHECK:      .visible .entry f(

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @f(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr addrspace(1) %p
  ret void
}
