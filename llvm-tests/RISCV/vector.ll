; Vector registers: groups are aligned, the vector length is set as rarely as
; without register pressure, and a group is spilled to a slot of scalable size.
; RUN: %llc -mtriple=riscv64-linux-gnu -mattr=+m,+a,+f,+d,+v -target-abi=lp64d -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare void @f()
define <vscale x 2 x i64> @add(<vscale x 2 x i64> %a, <vscale x 2 x i64> %b) nounwind {
; CHECK-LABEL: add:
; CHECK-NEXT:  # %bb.0:
; CHECK-NEXT:    vsetvli {{[a-z0-9]+}}, zero, e64, m2, ta, ma
; CHECK-NEXT:    vadd.vv v8, v8, v10
; CHECK-NEXT:    ret
  %s = add <vscale x 2 x i64> %a, %b
  ret <vscale x 2 x i64> %s
}
define void @scalars(ptr %p, ptr %q, i64 %n) nounwind {
; CHECK-LABEL: scalars:
; CHECK-COUNT-1: vsetvli
; CHECK:       [[LOOP:.LBB[0-9_]+]]:
; CHECK-NOT:     vsetvli
; CHECK:         vl2re64.v [[V:v[0-9]*[02468]]], (a0)
; CHECK-NEXT:    vl2re64.v [[W:v[0-9]*[02468]]], (a1)
; CHECK-NOT:     mv
; CHECK:         vadd.vv [[S:v[0-9]*[02468]]], [[V]], [[W]]
; CHECK-NEXT:    vs2r.v [[S]], (a0)
; CHECK:         bltu {{[a-z0-9]+}}, a2, [[LOOP]]
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %g = getelementptr <vscale x 2 x i64>, ptr %p, i64 %i
  %h = getelementptr <vscale x 2 x i64>, ptr %q, i64 %i
  %v = load <vscale x 2 x i64>, ptr %g
  %w = load <vscale x 2 x i64>, ptr %h
  %s = add <vscale x 2 x i64> %v, %w
  store <vscale x 2 x i64> %s, ptr %g
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}
define <vscale x 2 x i64> @across(<vscale x 2 x i64> %a, i64 %n) nounwind {
; CHECK-LABEL: across:
; CHECK:         vs2r.v v8, ([[P:[a-z0-9]+]]) # vscale x 16-byte Folded Spill
; CHECK-NEXT:    call f
; CHECK:         vl2r.v v8, ({{[a-z0-9]+}}) # vscale x 16-byte Folded Reload
  call void @f()
  ret <vscale x 2 x i64> %a
}
