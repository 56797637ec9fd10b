; The coalescer deletes the only use in the loop of the shuffled vector, which nothing
; needs, and leaves the vector's live range as it was. What shares its register is
; behind its last use, yet within that range.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -O0 -optimize-regalloc %s -o - | FileCheck %s

define void @f(<8 x i8> %v) nounwind {
; CHECK-LABEL: f:
; CHECK:         packuswb {{.*}}, %[[R:xmm[0-9]+]]
; CHECK:         pand %{{.*}}, %[[R]]
; CHECK-NEXT:    xorps %[[R]], %[[R]]
; CHECK:         retq
entry:
  %a = shufflevector <8 x i8> zeroinitializer, <8 x i8> %v, <8 x i32> <i32 3, i32 5, i32 0, i32 9, i32 11, i32 13, i32 15, i32 1>
  %zero = insertelement <4 x i8> zeroinitializer, i8 0, i32 0
  br label %loop
loop:
  %b = extractelement <8 x i8> %a, i32 0
  %c = shufflevector <4 x i8> zeroinitializer, <4 x i8> %zero, <4 x i32> <i32 3, i32 5, i32 7, i32 1>
  br i1 false, label %loop, label %end
end:
  %d = select i1 false, i8 %b, i8 0
  ret void
}
