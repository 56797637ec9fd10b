; Loop counters, accumulators and addresses are updated in place: no copy in
; the loop, and none but the result's behind it.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

define i64 @sum(ptr %p, i64 %n) nounwind {
; CHECK-LABEL: sum:
; CHECK:         xorl
; CHECK-NEXT:    xorl
; CHECK:       [[LOOP:.LBB[0-9_]+]]: # %loop
; CHECK-NEXT:    # =>
; CHECK-NEXT:    addq (%rdi,[[I:%r[a-z0-9]+]],8), [[S:%r[a-z0-9]+]]
; CHECK-NEXT:    incq [[I]]
; CHECK-NEXT:    cmpq %rsi, [[I]]
; CHECK-NEXT:    jb [[LOOP]]
; CHECK:         retq
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %g = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %g
  %t = add i64 %s, %v
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret i64 %t
}

; Two values take turns: two copies or exchanges each time round, not three.
define i64 @fibonacci(i64 %n) nounwind {
; CHECK-LABEL:   fibonacci:
; CHECK:         [[LOOP:.LBB[0-9_]+]]: # %loop
; CHECK-COUNT-2:   movq %r
; CHECK-NOT:       movq
; CHECK:           jb [[LOOP]]
; CHECK:           retq
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %a = phi i64 [ 0, %entry ], [ %b, %loop ]
  %b = phi i64 [ 1, %entry ], [ %c, %loop ]
  %c = add i64 %a, %b
  %j = add i64 %i, 1
  %k = icmp ult i64 %j, %n
  br i1 %k, label %loop, label %done
done:
  ret i64 %a
}

define double @dot(ptr %p, ptr %q, i64 %n) nounwind {
; CHECK-LABEL: dot:
; CHECK:       [[LOOP:.LBB[0-9_]+]]: # %loop
; CHECK-NEXT:    # =>
; CHECK-NEXT:    movsd (%rdi,[[I:%r[a-z0-9]+]],8), [[T:%xmm[0-9]+]] # xmm{{[0-9]+}} = mem[0],zero
; CHECK-NEXT:    mulsd (%rsi,[[I]],8), [[T]]
; CHECK-NEXT:    addsd [[T]], [[S:%xmm[0-9]+]]
; CHECK-NEXT:    incq [[I]]
; CHECK-NEXT:    cmpq %rdx, [[I]]
; CHECK-NEXT:    jb [[LOOP]]
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %g = getelementptr double, ptr %p, i64 %i
  %h = getelementptr double, ptr %q, i64 %i
  %x = load double, ptr %g
  %y = load double, ptr %h
  %m = fmul double %x, %y
  %t = fadd double %s, %m
  %j = add i64 %i, 1
  %k = icmp ult i64 %j, %n
  br i1 %k, label %loop, label %done
done:
  ret double %t
}
