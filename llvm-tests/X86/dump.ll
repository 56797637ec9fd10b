; -warpalloc-dump writes each function as the allocator saw it, and changes
; nothing else.
; RUN: rm -rf %t && mkdir -p %t
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-dump=%t/dump -print-regalloc-stats \
; RUN:   %s -o %t/with.s 2>%t/stats
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o %t/without.s
; RUN: cmp %t/with.s %t/without.s
; RUN: ls %t/dump | FileCheck %s --check-prefix=FILES
; RUN: FileCheck %s --check-prefix=DUMP <%t/dump/kept.warp

; FILES: kept.warp
; FILES: sum.warp

; DUMP: kept
; DUMP: GR64
; DUMP: RDI
define i64 @sum(i64 %a, i64 %b) nounwind {
  %s = add i64 %a, %b
  ret i64 %s
}

define i64 @kept(i64 %a) nounwind {
  call void asm sideeffect "", "~{rax},~{rbx},~{rcx},~{rdx},~{rsi},~{rdi},~{rbp},~{r8},~{r9},~{r10},~{r11},~{r12},~{r13},~{r14},~{r15}"()
  ret i64 %a
}
