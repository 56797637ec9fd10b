; Scalable vectors and predicates: no copy where the arguments are already right;
; across a call, which keeps none of them, both wait in slots of scalable size.
; RUN: %llc -mtriple=aarch64-linux-gnu -mattr=+sve -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare void @f()
define <vscale x 4 x i32> @add(<vscale x 4 x i32> %a, <vscale x 4 x i32> %b, <vscale x 4 x i1> %p) nounwind {
; CHECK-LABEL: add:
; CHECK-NEXT:  // %bb.0:
; CHECK-NEXT:    add z0.s, p0/m, z0.s, z1.s
; CHECK-NEXT:    ret
  %s = add <vscale x 4 x i32> %a, %b
  %r = select <vscale x 4 x i1> %p, <vscale x 4 x i32> %s, <vscale x 4 x i32> %a
  ret <vscale x 4 x i32> %r
}
define <vscale x 4 x i32> @across_call(<vscale x 4 x i32> %a, <vscale x 4 x i1> %p) nounwind {
; CHECK-LABEL: across_call:
; CHECK:         addvl sp, sp, #-2
; CHECK-NEXT:    str p0, [sp, #[[P:[0-9]+]], mul vl] // 2-byte Spill
; CHECK-NEXT:    str z0, [sp] // 16-byte Folded Spill
; CHECK-NEXT:    bl f
; CHECK-NEXT:    ldr z0, [sp] // 16-byte Folded Reload
; CHECK-NEXT:    ldr p0, [sp, #[[P]], mul vl] // 2-byte Reload
; CHECK-NEXT:    add z0.s, p0/m, z0.s, z0.s
; CHECK:         addvl sp, sp, #2
  call void @f()
  %s = add <vscale x 4 x i32> %a, %a
  %r = select <vscale x 4 x i1> %p, <vscale x 4 x i32> %s, <vscale x 4 x i32> %a
  ret <vscale x 4 x i32> %r
}
