; A function without values declares no register; its statistics name no file.
; The smallest limit is enough for it.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=1 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; Who spills here does so too.
; RUN: %gpu -mcpu=sm_90 -warpalloc-spills=here %s -o /dev/null
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry empty(
; CHECK-NEXT:  .maxnreg 24
; CHECK-NEXT:  {
; CHECK-NOT:     .reg
; CHECK:         ret;
; STATS:         warpalloc: function=empty spilled=0 stores=0 reloads=0 remats=0 coalesced=0 copies_left=0 rounds=1
define ptx_kernel void @empty() {
  ret void
}

; CHECK-LABEL: .visible .entry traps(
; CHECK-NOT:     .reg
; CHECK:         trap;
; STATS:         warpalloc: function=traps spilled=0
define ptx_kernel void @traps() {
  call void @llvm.trap()
  unreachable
}

declare void @llvm.trap()

; What has gone by the time registers are allocated leaves numbers that nothing names.
; CHECK-LABEL: .visible .func unused(
; STATS:         warpalloc: function=unused spilled=0
define void @unused(ptr %p) {
  br label %loop

loop:
  %loaded = load i8, ptr %p
  %half = lshr i8 %loaded, 1
  %odd = or i8 %half, 1
  br label %loop
}
