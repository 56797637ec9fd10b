; Values that live across calls are in callee-saved registers, arguments stay where
; they are, and what no register can keep is stored once and reloaded once.
; RUN: %llc -mtriple=riscv64-linux-gnu -mattr=+m,+a,+f,+d -target-abi=lp64d -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare i64 @callee(i64)
define i64 @one(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: one:
; CHECK:         mv [[B:s[0-9]+]], a1
; CHECK-NEXT:    call callee
; CHECK-NEXT:    add a0, a0, [[B]]
; CHECK-NOT:     mv
; CHECK:         ret
  %v = call i64 @callee(i64 %a)
  %s = add i64 %v, %b
  ret i64 %s
}
define double @floating(double %a, i64 %n) nounwind {
; CHECK-LABEL: floating:
; CHECK:         fmv.d [[A:fs[0-9]+]], fa0
; CHECK-NEXT:    call callee
; CHECK-NEXT:    fcvt.d.l [[D:f[a-z0-9]+]], a0
; CHECK-NEXT:    fadd.d fa0, [[D]], [[A]]
; CHECK-NOT:     fmv
; CHECK:         ret
  %v = call i64 @callee(i64 %n)
  %d = sitofp i64 %v to double
  %s = fadd double %d, %a
  ret double %s
}
define i64 @leaf(i64 %a, i64 %b, i64 %c) nounwind {
; CHECK-LABEL: leaf:
; CHECK-NEXT:  # %bb.0:
; CHECK-NEXT:    mul [[M:a[0-9]]], a0, a1
; CHECK-NEXT:    add a0, [[M]], a2
; CHECK-NEXT:    ret
  %m = mul i64 %a, %b
  %s = add i64 %m, %c
  ret i64 %s
}
define i64 @tail(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: tail:
; CHECK-NEXT:  # %bb.0:
; CHECK-NEXT:    mul a0, a0, a1
; CHECK-NEXT:    tail callee
  %m = mul i64 %a, %b
  %r = tail call i64 @callee(i64 %m)
  ret i64 %r
}
define i64 @spilled(i64 %a) nounwind {
; CHECK-LABEL: spilled:
; CHECK:         sd a0, [[SLOT:[0-9]+\(sp\)]] # 8-byte Folded Spill
; CHECK-NEXT:    #APP
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:    ld a0, [[SLOT]] # 8-byte Folded Reload
  call void asm sideeffect "", "~{x1},~{x5},~{x6},~{x7},~{x8},~{x9},~{x10},~{x11},~{x12},~{x13},~{x14},~{x15},~{x16},~{x17},~{x18},~{x19},~{x20},~{x21},~{x22},~{x23},~{x24},~{x25},~{x26},~{x27},~{x28},~{x29},~{x30},~{x31}"()
  ret i64 %a
}
