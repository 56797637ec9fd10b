; Values that all threads of a warp share go to uniform registers from sm_75 on: in
; kernels, where the warp is together, if the uniform data path can compute them and
; whoever reads them can read them there. In PTX they are registers of their own.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %gpu -mcpu=sm_75 -print-regalloc-stats %s -o %t.75.ptx 2>%t.75.stats
; RUN: %FileCheck %s --check-prefix=STATS <%t.75.stats
; RUN: %gpu -mcpu=sm_70 -print-regalloc-stats %s -o %t.70.ptx 2>%t.70.stats
; RUN: %FileCheck %s --check-prefix=NONE --implicit-check-not=used.U <%t.70.stats
; RUN: %gpu -mcpu=sm_90 -warpalloc-disable=uniform -print-regalloc-stats %s -o %t.off.ptx 2>%t.off.stats
; RUN: %FileCheck %s --check-prefix=NONE --implicit-check-not=used.U <%t.off.stats
; RUN: %gpu -mcpu=sm_100 -print-regalloc-stats %s -o %t.100.ptx 2>%t.100.stats
; RUN: %FileCheck %s --check-prefix=BLACKWELL <%t.100.stats
; The dump knows what the plugin knows.
; RUN: rm -rf %t.dump && %gpu -mcpu=sm_90 -warpalloc-dump=%t.dump -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %warpalloc_cli replay %t.dump/affine.warp >%t.replayed
; RUN: grep function=affine %t.stats | diff - %t.replayed

target triple = "nvptx64-nvidia-cuda"

@table = addrspace(4) externally_initialized global [4 x i32] zeroinitializer
@out = addrspace(1) global i32 0
@factor = addrspace(1) global float 0.0
@place = addrspace(1) global ptr addrspace(1) null

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; What is made of parameters is computed once for the warp, the sum for each thread:
; the warp's registers have the higher numbers. A store reads its address elsewhere.
; CHECK-LABEL: .visible .entry affine(
; CHECK:         .reg .b32 %r<4>;
; CHECK:         mov.u32 [[T:%r1]], %tid.x;
; CHECK:         xor.b32 [[X:%r[23]]], %r{{[23]}}, %r{{[23]}};
; CHECK-NEXT:    add.s32 [[T]], [[X]], [[T]];
; CHECK:         ret;
; STATS: function=affine {{.*}} used.UR={{[1-9]}} {{.*}}spilled=0
; NONE:  function=affine
define ptx_kernel void @affine(ptr addrspace(1) %p, i32 %a, i32 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = xor i32 %a, %b
  %y = add i32 %x, %t
  store volatile i32 %y, ptr addrspace(1) %p
  ret void
}

; Who calls a function is not known.
; STATS: function=called used.R={{[0-9]+}} maxlive.R={{[0-9]+}} budget.R=255 spilled=0
; NONE:  function=called
define i32 @called(i32 %a, i32 %b) noinline {
  %x = xor i32 %a, %b
  ret i32 %x
}

; Only some threads load the constant.
; STATS: function=parted used.R={{[0-9]+}} maxlive.R={{[0-9]+}} budget.R=255 used.P=1 maxlive.P=1 budget.P=7 spilled=0
; NONE:  function=parted
define ptx_kernel void @parted() {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 5
  br i1 %c, label %some, label %join

some:
  %x = load volatile i32, ptr addrspace(4) @table
  %y = add i32 %x, %t
  store volatile i32 %y, ptr addrspace(1) @out
  br label %join

join:
  store volatile i32 %t, ptr addrspace(1) @out
  ret void
}

; All threads of a block go the same way. From sm_100 on a branch reads a uniform
; predicate.
; STATS:     function=together {{.*}} used.UR={{[1-9]}}
; STATS-NOT: used.UP
; NONE:      function=together
; BLACKWELL: function=together {{.*}} used.UP=1
define ptx_kernel void @together() {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = icmp ult i32 %b, 5
  br i1 %c, label %all, label %join

all:
  %x = load i32, ptr addrspace(4) @table
  %y = add i32 %x, %t
  store volatile i32 %y, ptr addrspace(1) @out
  br label %join

join:
  store volatile i32 %t, ptr addrspace(1) @out
  ret void
}

; What all threads load from one address can be moved there, as ptxas does where the
; threads' registers are few. It leaves addresses where they are. Only where it is open
; who spills that is counted on.
; RUN: %FileCheck %s --check-prefix=LOADED <%t.dump/loaded.warp
; RUN: %FileCheck %s --check-prefix=ADDRESS <%t.dump/address.warp
; LOADED: op.uniform_load
; STATS:     function=loaded used.R={{[0-9]+}}
; STATS-NOT: used.U
; NONE:      function=loaded
define ptx_kernel void @loaded() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %t to float
  %x = load float, ptr addrspace(1) @factor
  %y = fmul float %f, %x
  store volatile float %y, ptr addrspace(1) @factor
  ret void
}

; ADDRESS-NOT: uniform_load
; STATS:     function=address
; NONE:      function=address
define ptx_kernel void @address() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = load ptr addrspace(1), ptr addrspace(1) @place
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store volatile i32 %t, ptr addrspace(1) %q
  ret void
}
