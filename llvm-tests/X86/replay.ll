; The command allocates what -warpalloc-dump wrote without LLVM, checks the
; result, and comes to the same figures.
; RUN: rm -rf %t && mkdir -p %t
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-dump=%t/dump -print-regalloc-stats \
; RUN:   %s -o /dev/null 2>%t/plugin
; RUN: %warpalloc_cli replay %t/dump/sum.warp %t/dump/kept.warp >%t/command
; RUN: sort %t/plugin >%t/plugin.sorted
; RUN: sort %t/command | cmp - %t/plugin.sorted
; RUN: FileCheck %s <%t/plugin
; RUN: FileCheck %s <%t/command
; RUN: %warpalloc_cli check %t/dump/kept.warp | cmp - %t/dump/kept.warp
; RUN: not %warpalloc_cli replay --spill-limit=0 %t/dump/kept.warp 2>&1 \
; RUN:   | FileCheck %s --check-prefix=LIMIT

; A profile in place of the dump's gives what the plugin gives with it.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -warpalloc-profile=cicc -print-regalloc-stats %s -o /dev/null 2>&1 \
; RUN:   | sort >%t/cicc
; RUN: %warpalloc_cli replay --profile cicc %t/dump/sum.warp %t/dump/kept.warp | sort | cmp - %t/cicc
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -warpalloc-profile=ptxas -warpalloc-select=graph -warpalloc-order=lists -warpalloc-knob=618=0 -print-regalloc-stats %s -o /dev/null 2>&1 \
; RUN:   | sort >%t/ptxas
; RUN: %warpalloc_cli replay --profile ptxas --select graph --order lists --knob 618=0 %t/dump/sum.warp %t/dump/kept.warp \
; RUN:   | sort | cmp - %t/ptxas
; RUN: not %warpalloc_cli replay --profile nonsense %t/dump/sum.warp 2>&1 | FileCheck %s --check-prefix=PROFILE
; PROFILE: unknown profile 'nonsense'; it can be one of: auto, ptxas, cicc

; CHECK: sum {{.*}}spilled=0 stores=0 reloads=0
; CHECK: kept {{.*}}spilled=1 stores=1 reloads=1
; LIMIT: the limit of 0 spilled values is exceeded
define i64 @sum(i64 %a, i64 %b) nounwind {
  %s = add i64 %a, %b
  ret i64 %s
}

define i64 @kept(i64 %a) nounwind {
  call void asm sideeffect "", "~{rax},~{rbx},~{rcx},~{rdx},~{rsi},~{rdi},~{rbp},~{r8},~{r9},~{r10},~{r11},~{r12},~{r13},~{r14},~{r15}"()
  ret i64 %a
}
