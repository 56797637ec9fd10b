; Both selects and every profile allocate; a select that is given comes before the
; profile's own. The trace tells each node's list. Unknown names are errors that list
; the known ones.
; RUN: env WARPALLOC_LOG=trace %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-select=fatpoint %s -o %t.fatpoint.s 2>%t.trace
; RUN: FileCheck %s <%t.fatpoint.s
; RUN: FileCheck %s --check-prefix=TRACE <%t.trace
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-profile=ptxas %s -o - | cmp - %t.fatpoint.s
; RUN: env WARPALLOC_LOG=trace %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-select=graph -warpalloc-profile=ptxas %s -o %t.graph.s 2>%t.graph-trace
; RUN: FileCheck %s <%t.graph.s
; RUN: FileCheck %s --check-prefix=NO-LISTS <%t.graph-trace
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-profile=cicc %s -o - | FileCheck %s
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-profile=auto %s -o - | FileCheck %s
; RUN: rm -f %t.s
; RUN: not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -warpalloc-select=nonsense %s -o %t.s 2>&1 | FileCheck %s --check-prefix=SELECT
; RUN: not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -warpalloc-profile=nonsense %s -o %t.s 2>&1 | FileCheck %s --check-prefix=PROFILE
; RUN: not ls %t.s

; CHECK-LABEL: f:
; CHECK:         imulq
; CHECK:         retq
; TRACE:      ordered value=v{{[0-9]+}} list=Unconstrained position=0
; TRACE:      ordered value=v{{[0-9]+}} list={{[A-Za-z]+}} position=1
; NO-LISTS-NOT: list=
; SELECT:     error: warpalloc: in function 'f': -warpalloc-select: unknown select 'nonsense'; it can be one of: graph, fatpoint
; PROFILE:    error: warpalloc: in function 'f': -warpalloc-profile: unknown profile 'nonsense'; it can be one of: auto, ptxas, cicc

define i64 @f(i64 %a, i64 %b) nounwind {
  %m = mul i64 %a, %b
  %s = add i64 %m, 41
  %t = mul i64 %s, %a
  ret i64 %t
}
