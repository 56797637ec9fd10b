; RUN: %llc -O2 -regalloc=warpalloc -verify-regalloc -verify-machineinstrs \
; RUN:   -mtriple=x86_64-linux-gnu %s -o - | FileCheck %s
; RUN: %llc -O2 -regalloc=warpalloc -warpalloc-disable=super-classes -verify-regalloc \
; RUN:   -mtriple=x86_64-linux-gnu %s -o - | FileCheck %s --check-prefix=WITHOUT

; The second byte of each of six values is read. Four registers have one: the values are copied
; to these for that, and need not be there, or in memory, else.

; CHECK-LABEL: second_bytes:
; CHECK-NOT: Spill
; CHECK: movl %{{e[sd]i|r[0-9]+d|ebp}}, %e[[A:[a-d]]]x
; CHECK-NEXT: movzbl %[[A]]h,
; CHECK-NOT: Spill
; CHECK: retq

; WITHOUT-LABEL: second_bytes:
; WITHOUT: Spill

@table = external global [256 x i32]

define i32 @second_bytes(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v0 = phi i32 [ 1, %entry ], [ %w0, %loop ]
  %v1 = phi i32 [ 2, %entry ], [ %w1, %loop ]
  %v2 = phi i32 [ 3, %entry ], [ %w2, %loop ]
  %v3 = phi i32 [ 4, %entry ], [ %w3, %loop ]
  %v4 = phi i32 [ 5, %entry ], [ %w4, %loop ]
  %v5 = phi i32 [ 6, %entry ], [ %w5, %loop ]
  %at = getelementptr i32, ptr %p, i64 %i
  %x = load i32, ptr %at
  %x0 = xor i32 %v0, %x
  %x1 = xor i32 %v1, %x
  %x2 = xor i32 %v2, %x
  %x3 = xor i32 %v3, %x
  %x4 = xor i32 %v4, %x
  %x5 = xor i32 %v5, %x
  %s0 = lshr i32 %x0, 8
  %b0 = and i32 %s0, 255
  %z0 = zext i32 %b0 to i64
  %a0 = getelementptr i32, ptr @table, i64 %z0
  %t0 = load i32, ptr %a0
  %s1 = lshr i32 %x1, 8
  %b1 = and i32 %s1, 255
  %z1 = zext i32 %b1 to i64
  %a1 = getelementptr i32, ptr @table, i64 %z1
  %t1 = load i32, ptr %a1
  %s2 = lshr i32 %x2, 8
  %b2 = and i32 %s2, 255
  %z2 = zext i32 %b2 to i64
  %a2 = getelementptr i32, ptr @table, i64 %z2
  %t2 = load i32, ptr %a2
  %s3 = lshr i32 %x3, 8
  %b3 = and i32 %s3, 255
  %z3 = zext i32 %b3 to i64
  %a3 = getelementptr i32, ptr @table, i64 %z3
  %t3 = load i32, ptr %a3
  %s4 = lshr i32 %x4, 8
  %b4 = and i32 %s4, 255
  %z4 = zext i32 %b4 to i64
  %a4 = getelementptr i32, ptr @table, i64 %z4
  %t4 = load i32, ptr %a4
  %s5 = lshr i32 %x5, 8
  %b5 = and i32 %s5, 255
  %z5 = zext i32 %b5 to i64
  %a5 = getelementptr i32, ptr @table, i64 %z5
  %t5 = load i32, ptr %a5
  %w0 = add i32 %x0, %t1
  %w1 = add i32 %x1, %t2
  %w2 = add i32 %x2, %t3
  %w3 = add i32 %x3, %t4
  %w4 = add i32 %x4, %t5
  %w5 = add i32 %x5, %t0
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out

out:
  %u1 = xor i32 %w0, %w1
  %u2 = xor i32 %u1, %w2
  %u3 = xor i32 %u2, %w3
  %u4 = xor i32 %u3, %w4
  %u5 = xor i32 %u4, %w5
  ret i32 %u5
}
