; -warpalloc-dump writes all that the pipeline reads of each function, under its name. The
; command line tool makes the same of it, and its statistics are those of the plugin: with
; a budget, with another order, and with who spills left open. `check` prints the file as it
; is.
; RUN: rm -rf %t && mkdir %t
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=5 -warpalloc-dump=%t/dump -print-regalloc-stats %s -o %t/k.ptx 2>%t/stats
; RUN: ls %t/dump | %FileCheck %s --check-prefix=FILES
; RUN: %FileCheck %s <%t/dump/spills.warp
; RUN: %warpalloc_cli replay %t/dump/loop.warp %t/dump/spills.warp >%t/replayed
; RUN: diff %t/stats %t/replayed
; RUN: %gpu -warpalloc-spills=auto -mcpu=sm_80 -nvptx-regalloc-occupancy-target=100 -warpalloc-dump=%t/auto -print-regalloc-stats %s -o %t/k.auto.ptx 2>%t/auto.stats
; RUN: %warpalloc_cli replay %t/auto/loop.warp %t/auto/spills.warp | diff %t/auto.stats -
; RUN: %FileCheck %s --check-prefix=AUTO <%t/auto/spills.warp
; What the command line says goes before what the dump does.
; RUN: %warpalloc_cli replay --pressure-limit=4 --disable=reorder %t/dump/spills.warp | %FileCheck %s --check-prefix=LESS
; RUN: %warpalloc_cli check %t/dump/spills.warp >%t/checked
; RUN: diff %t/dump/spills.warp %t/checked
; A dump changes nothing in the output.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=5 %s -o %t/plain.ptx
; RUN: cmp %t/k.ptx %t/plain.ptx

; FILES:      loop.warp
; FILES-NEXT: spills.warp
; FILES-NOT:  {{.}}

; LESS:       budget.R=4 spilled={{[1-9]}}

; AUTO:       settings {{.*}}"occupancy_target":100,{{.*}}"spills":"Auto"
; AUTO-NEXT:  input {{.*}}"sm":80
; AUTO-NEXT:  machine gpu limit=255

; CHECK:      settings {{.*}}"pressure_limit":5
; CHECK-NEXT: input {{.*}}"dependences":{{\[\[}}
; CHECK-NEXT: machine gpu limit=255
; CHECK:      function spills kernel
; CHECK-NEXT: values v0:B64, v1:B32, v2:B32, v3:B32, v4:B32
; CHECK:      block b0 frequency=1.0 depth=0
; CHECK-NEXT:   v0 = op.remat.uniform
; CHECK-NEXT:   v1 = op.divergent v0
; CHECK-NEXT:   v2 = op.divergent v0
; CHECK-NEXT:   v3 = op.divergent v0
; CHECK-NEXT:   v4 = op.divergent v0
; CHECK-NEXT:   op v1, v0

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @loop(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop

loop:
  %sum = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load volatile i32, ptr addrspace(1) %p
  %next = add i32 %sum, %v
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  store volatile i32 %next, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @spills(ptr addrspace(1) %p) {
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  %c = load volatile i32, ptr addrspace(1) %p
  %d = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  store volatile i32 %d, ptr addrspace(1) %p
  ret void
}
