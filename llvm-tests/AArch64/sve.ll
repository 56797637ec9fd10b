declare void @f()
define <vscale x 4 x i32> @add(<vscale x 4 x i32> %a, <vscale x 4 x i32> %b, <vscale x 4 x i1> %p) nounwind {
  %s = add <vscale x 4 x i32> %a, %b
  %r = select <vscale x 4 x i1> %p, <vscale x 4 x i32> %s, <vscale x 4 x i32> %a
  ret <vscale x 4 x i32> %r
}
define <vscale x 4 x i32> @across_call(<vscale x 4 x i32> %a, <vscale x 4 x i1> %p) nounwind {
  call void @f()
  %s = add <vscale x 4 x i32> %a, %a
  %r = select <vscale x 4 x i1> %p, <vscale x 4 x i32> %s, <vscale x 4 x i32> %a
  ret <vscale x 4 x i32> %r
}
