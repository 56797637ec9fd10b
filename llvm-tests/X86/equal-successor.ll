; A block that ends by comparing for equality names the successor that is taken then, unless
; the program says how often that is, and unless one of the two is a constant.
; RUN: rm -rf %t && mkdir -p %t
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-dump=%t %s -o /dev/null
; RUN: FileCheck %s --check-prefix=EQUAL <%t/equal.warp
; RUN: FileCheck %s --check-prefix=DIFFERENT <%t/different.warp
; RUN: FileCheck %s --check-prefix=KNOWN <%t/known.warp
; RUN: FileCheck %s --check-prefix=KNOWN <%t/constant.warp
; RUN: FileCheck %s --check-prefix=KNOWN <%t/less.warp

; EQUAL: input {"taken_if_equal":{{\[\[}}1,1{{\]\]}}}
define i64 @equal(ptr %a, ptr %b) nounwind {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %next = add i64 %i, 1
  %at = getelementptr i8, ptr %a, i64 %i
  %x = load i8, ptr %at
  %bt = getelementptr i8, ptr %b, i64 %i
  %y = load i8, ptr %bt
  %same = icmp eq i8 %x, %y
  br i1 %same, label %loop, label %end
end:
  ret i64 %i
}

; DIFFERENT: input {"taken_if_equal":{{\[\[}}1,2{{\]\]}}}
define i64 @different(ptr %a, i8 %last) nounwind {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %next = add i64 %i, 1
  %at = getelementptr i8, ptr %a, i64 %i
  %x = load i8, ptr %at
  %goes_on = icmp ne i8 %x, %last
  br i1 %goes_on, label %loop, label %end
end:
  ret i64 %i
}

; KNOWN-NOT: taken_if_equal
define i64 @known(ptr %a, i8 %b) nounwind {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %next = add i64 %i, 1
  %at = getelementptr i8, ptr %a, i64 %i
  %x = load i8, ptr %at
  %same = icmp eq i8 %x, %b
  br i1 %same, label %loop, label %end, !prof !0
end:
  ret i64 %i
}

define i64 @constant(ptr %a) nounwind {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %next = add i64 %i, 1
  %at = getelementptr i8, ptr %a, i64 %i
  %x = load i8, ptr %at
  %same = icmp eq i8 %x, 7
  br i1 %same, label %loop, label %end
end:
  ret i64 %i
}

define i64 @less(ptr %a) nounwind {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %next = add i64 %i, 1
  %at = getelementptr i8, ptr %a, i64 %i
  %x = load i8, ptr %at
  %goes_on = icmp slt i8 %x, 9
  br i1 %goes_on, label %loop, label %end
end:
  ret i64 %i
}

!0 = !{!"branch_weights", i32 100, i32 1}
