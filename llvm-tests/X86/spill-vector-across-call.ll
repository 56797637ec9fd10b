; No vector register survives a call of the C convention: the value waits in
; memory, with one store before the call and one reload behind it.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare i64 @callee(i64)

define double @kept(double %x) nounwind {
; CHECK-LABEL: kept:
; CHECK:         movsd %xmm0, {{.*}}(%rsp) # 8-byte {{(Folded )?}}Spill
; CHECK:         callq callee@PLT
; CHECK-NOT:     Spill
; CHECK:         cvtsi2sd %rax,
; CHECK:         {{addsd|movsd}} {{[0-9]*}}(%rsp), %xmm{{[0-9]+}} # 8-byte {{(Folded )?}}Reload
; CHECK:         retq
  %v = call i64 @callee(i64 1)
  %d = sitofp i64 %v to double
  %s = fadd double %x, %d
  ret double %s
}
