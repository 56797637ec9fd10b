; The same on registers that are there: coalescing, Briggs' simplify and select in the order
; of the six lists, guidance and lazy reload, and then LLVM's VirtRegRewriter has nothing but
; physical registers to write.
; RUN: env WARPALLOC_LOG=trace %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -warpalloc-order=lists -join-liveintervals=false -warpalloc-disable=remat,fold -verify-regalloc -verify-machineinstrs -print-regalloc-stats %s -o %t.s 2>%t.trace
; RUN: FileCheck %s <%t.trace
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -warpalloc-order=lists -join-liveintervals=false -warpalloc-disable=remat,fold -stop-after=virtregrewriter %s -o - | FileCheck %s --check-prefix=REWRITTEN

; CHECK:      coalesced copies={{[0-9]+}} merged=4
; CHECK:      simplified value={{v[0-9]+}} list=LowConf position=0
; CHECK:      simplified value={{v[0-9]+}} list=Unconstrained position=
; CHECK:      coloured attempt=spill failed=4
; CHECK:      guidance advises file=file0 points={{[0-9]+}} values=4
; CHECK:      store value=[[WAITS:v[0-9]+]] slot=slot0
; CHECK:      reload value=[[WAITS]] slot=slot0
; CHECK:      coloured attempt=retry failed=0
; CHECK:      function=f used.GR64=15 maxlive.GR64=15 budget.GR64=15 spilled=4 stores=4 reloads=4

; REWRITTEN-LABEL: bb.0.entry:
; REWRITTEN:     MOV64mr %stack.0, 1, $noreg, 0, $noreg, killed renamable ${{[a-z0-9]+}} :: (store (s64) into %stack.0)
; REWRITTEN-LABEL: bb.1.loop:
; REWRITTEN-NOT: %stack
; REWRITTEN-LABEL: bb.2.exit:
; REWRITTEN:     renamable ${{[a-z0-9]+}} = MOV64rm %stack.0, 1, $noreg, 0, $noreg :: (load (s64) from %stack.0)
; REWRITTEN-NOT: {{%[0-9]}}
; REWRITTEN:     RET 0, $rax

define i64 @f(ptr %p) nounwind {
entry:
  %v0 = load volatile i64, ptr %p
  %v1 = load volatile i64, ptr %p
  %v2 = load volatile i64, ptr %p
  %v3 = load volatile i64, ptr %p
  %v4 = load volatile i64, ptr %p
  %v5 = load volatile i64, ptr %p
  %v6 = load volatile i64, ptr %p
  %v7 = load volatile i64, ptr %p
  %v8 = load volatile i64, ptr %p
  %v9 = load volatile i64, ptr %p
  %v10 = load volatile i64, ptr %p
  %v11 = load volatile i64, ptr %p
  %v12 = load volatile i64, ptr %p
  %v13 = load volatile i64, ptr %p
  %v14 = load volatile i64, ptr %p
  %v15 = load volatile i64, ptr %p
  br label %loop

loop:
  %count = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = load volatile i64, ptr %p
  %next = add i64 %count, %x
  %again = icmp ne i64 %x, 0
  br i1 %again, label %loop, label %exit

exit:
  store volatile i64 %v0, ptr %p
  store volatile i64 %v1, ptr %p
  store volatile i64 %v2, ptr %p
  store volatile i64 %v3, ptr %p
  store volatile i64 %v4, ptr %p
  store volatile i64 %v5, ptr %p
  store volatile i64 %v6, ptr %p
  store volatile i64 %v7, ptr %p
  store volatile i64 %v8, ptr %p
  store volatile i64 %v9, ptr %p
  store volatile i64 %v10, ptr %p
  store volatile i64 %v11, ptr %p
  store volatile i64 %v12, ptr %p
  store volatile i64 %v13, ptr %p
  store volatile i64 %v14, ptr %p
  store volatile i64 %v15, ptr %p
  ret i64 %next
}
