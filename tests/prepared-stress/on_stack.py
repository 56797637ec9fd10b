#!/usr/bin/env python3
"""Has a function of llvm-stress work on stack variables: standard input to output.

The input is what differential/defined.py gives: @function, which loads from and stores to
three addresses. It is called, as @body, by a new @function of the same type: three times,
in a loop, with addresses of rows of a local array that depend on the counter, and of another
local variable. Afterwards a small array is accessed at an index that depends on the data.
All goes back to the caller's memory. So there is a call to inline, a loop to unroll, and an
index to choose by, around code that no person would write.
"""

import sys

WRAPPER = """
define void @function(ptr %p, ptr %q, ptr %r, i32 %i, i64 %l, i8 %c) {
  %rows = alloca [3 x [256 x i8]], align 16
  %single = alloca [256 x i8], align 16
  %words = alloca [4 x i64], align 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %rows, ptr align 16 %p, i64 768, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %single, ptr align 16 %q, i64 256, i1 false)
  br label %loop

loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %back = sub i64 2, %k
  %row = getelementptr inbounds [3 x [256 x i8]], ptr %rows, i64 0, i64 %k
  %other = getelementptr inbounds [3 x [256 x i8]], ptr %rows, i64 0, i64 %back
  %narrow = trunc i64 %k to i32
  %n = add i32 %i, %narrow
  call void @body(ptr %row, ptr %other, ptr %single, i32 %n, i64 %l, i8 %c)
  %next = add nuw nsw i64 %k, 1
  %again = icmp ne i64 %next, 3
  br i1 %again, label %loop, label %done

done:
  %middle = getelementptr inbounds i8, ptr %rows, i64 256
  %last = getelementptr inbounds i8, ptr %rows, i64 512
  %w0 = load i64, ptr %rows, align 16
  %w1 = load i64, ptr %middle, align 16
  %w2 = load i64, ptr %last, align 16
  %w3 = load i64, ptr %single, align 16
  %words1 = getelementptr inbounds i64, ptr %words, i64 1
  %words2 = getelementptr inbounds i64, ptr %words, i64 2
  %words3 = getelementptr inbounds i64, ptr %words, i64 3
  store i64 %w0, ptr %words, align 8
  store i64 %w1, ptr %words1, align 8
  store i64 %w2, ptr %words2, align 8
  store i64 %w3, ptr %words3, align 8
  %from = and i64 %w0, 3
  %to = and i64 %w3, 3
  %read = getelementptr inbounds i64, ptr %words, i64 %from
  %write = getelementptr inbounds i64, ptr %words, i64 %to
  %chosen = load i64, ptr %read, align 8
  %sum = add i64 %chosen, %l
  store i64 %sum, ptr %write, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %p, ptr align 16 %rows, i64 768, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %q, ptr align 16 %single, i64 256, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %r, ptr align 16 %words, i64 32, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""

text = sys.stdin.read()
print(text.replace("define void @function(", "define internal void @body(") + WRAPPER)
