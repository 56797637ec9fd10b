; Only a part of an argument is spilled: from where the loop with its call is ahead it has
; another register, and that one goes to a slot which a value of the function has as well.
; The slot's live interval must cover both, or LLVM takes the slot for dead.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

; CHECK-LABEL: part:
; CHECK:         Spill
; CHECK:         Reload

declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

define i32 @part(ptr %start, ptr %other, i64 %n, i64 %most, i64 %m, i1 %c) {
entry:
  br i1 %c, label %nothing, label %first

first:
  br i1 %c, label %check, label %move

move:
  %from = phi ptr [ null, %first ], [ %other, %check ]
  %to = phi ptr [ null, %first ], [ %now, %check ]
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr null, i64 %n, i1 false)
  %behind = getelementptr i8, ptr %to, i64 %n
  %least = call i64 @llvm.umin.i64(i64 %m, i64 %most)
  %next = getelementptr i8, ptr %behind, i64 %least
  br label %check

check:
  %end = phi ptr [ %start, %first ], [ %from, %move ]
  %now = phi ptr [ %start, %first ], [ %next, %move ]
  %more = icmp ult ptr %end, %start
  br i1 %more, label %move, label %done

nothing:
  ret i32 0

done:
  %number = ptrtoint ptr %start to i64
  %less = sub i64 %number, %n
  %low = trunc i64 %less to i32
  %result = add i32 %low, -1
  ret i32 %result
}
