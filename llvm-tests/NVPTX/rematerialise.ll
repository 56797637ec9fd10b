; What reads nothing is computed again instead of being stored and reloaded: a
; parameter, a constant, an address, a special register that does not change. What
; may be different the next time is not: clocks, and memory that is written.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=6 -print-regalloc-stats %s -o %t.ptx 2>%t.err
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.err
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=6 -warpalloc-disable=remat -print-regalloc-stats %s -o /dev/null 2>%t.off
; RUN: %FileCheck %s --check-prefix=OFF <%t.off

target triple = "nvptx64-nvidia-cuda"

@table = addrspace(3) global [32 x i32] undef, align 16

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
declare i64 @llvm.nvvm.read.ptx.sreg.globaltimer()

; CHECK-LABEL: .entry anew(
; CHECK-NOT:     .local
; CHECK-COUNT-2: ld.param.b32 %r{{[0-9]+}}, [anew_param_1];
; CHECK:         ret;
; STATS: warpalloc: function=anew {{.*}}spilled=0 stores=0 reloads=0 remats={{[1-9]}}
; OFF:   warpalloc: function=anew {{.*}}spilled={{[1-9]}} {{.*}}remats=0
define ptx_kernel void @anew(ptr addrspace(1) %p, i32 %a, i32 %b, i32 %c) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  store volatile i32 %t, ptr addrspace(1) %p
  %z = load volatile i32, ptr addrspace(1) %p
  %s = add i32 %x, %y
  %u = mul i32 %s, %z
  store volatile i32 %u, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %t, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .entry once(
; CHECK:         mov.u32 %r{{[0-9]+}}, %clock;
; CHECK-NOT:     %clock
; CHECK:         mov.u64 %rd{{[0-9]+}}, %globaltimer;
; CHECK-NOT:     %globaltimer
; CHECK-COUNT-5: ld.volatile
; CHECK-NOT:     ld.volatile
; CHECK:         ret;
; STATS: warpalloc: function=once {{.*}}spilled={{[1-9]}}
define ptx_kernel void @once(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  %g = call i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
  %a = load volatile i32, ptr addrspace(3) @table
  %b = load volatile i32, ptr addrspace(3) @table
  %c = load volatile i32, ptr addrspace(3) @table
  %d = load volatile i32, ptr addrspace(3) @table
  %e = load volatile i32, ptr addrspace(3) @table
  store volatile i32 %t, ptr addrspace(1) %p
  store volatile i64 %g, ptr addrspace(1) %p
  store volatile i32 %e, ptr addrspace(1) %p
  store volatile i32 %d, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %t, ptr addrspace(1) %p
  store volatile i64 %g, ptr addrspace(1) %p
  ret void
}
