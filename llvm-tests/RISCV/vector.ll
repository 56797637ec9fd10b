declare void @f()
define <vscale x 2 x i64> @add(<vscale x 2 x i64> %a, <vscale x 2 x i64> %b) nounwind {
  %s = add <vscale x 2 x i64> %a, %b
  ret <vscale x 2 x i64> %s
}
define void @scalars(ptr %p, ptr %q, i64 %n) nounwind {
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
  call void @f()
  ret <vscale x 2 x i64> %a
}
