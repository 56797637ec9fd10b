declare { <4 x i32>, <4 x i32>, <4 x i32> } @llvm.aarch64.neon.ld3.v4i32.p0(ptr)
declare void @llvm.aarch64.neon.st3.v4i32.p0(<4 x i32>, <4 x i32>, <4 x i32>, ptr)
declare void @llvm.aarch64.neon.st2.v4i32.p0(<4 x i32>, <4 x i32>, ptr)
declare { <4 x i32>, <4 x i32>, <4 x i32>, <4 x i32> } @llvm.aarch64.neon.ld4.v4i32.p0(ptr)
declare void @llvm.aarch64.neon.st4.v4i32.p0(<4 x i32>, <4 x i32>, <4 x i32>, <4 x i32>, ptr)
define void @rotate3(ptr %p, ptr %q) nounwind {
  %t = call { <4 x i32>, <4 x i32>, <4 x i32> } @llvm.aarch64.neon.ld3.v4i32.p0(ptr %p)
  %a = extractvalue { <4 x i32>, <4 x i32>, <4 x i32> } %t, 0
  %b = extractvalue { <4 x i32>, <4 x i32>, <4 x i32> } %t, 1
  %c = extractvalue { <4 x i32>, <4 x i32>, <4 x i32> } %t, 2
  call void @llvm.aarch64.neon.st3.v4i32.p0(<4 x i32> %a, <4 x i32> %b, <4 x i32> %c, ptr %q)
  ret void
}
define void @sum4(ptr %p, ptr %q) nounwind {
  %t = call { <4 x i32>, <4 x i32>, <4 x i32>, <4 x i32> } @llvm.aarch64.neon.ld4.v4i32.p0(ptr %p)
  %a = extractvalue { <4 x i32>, <4 x i32>, <4 x i32>, <4 x i32> } %t, 0
  %b = extractvalue { <4 x i32>, <4 x i32>, <4 x i32>, <4 x i32> } %t, 1
  %c = extractvalue { <4 x i32>, <4 x i32>, <4 x i32>, <4 x i32> } %t, 2
  %d = extractvalue { <4 x i32>, <4 x i32>, <4 x i32>, <4 x i32> } %t, 3
  %s = add <4 x i32> %a, %d
  call void @llvm.aarch64.neon.st4.v4i32.p0(<4 x i32> %s, <4 x i32> %b, <4 x i32> %c, <4 x i32> %d, ptr %q)
  ret void
}
define void @interleave(<4 x i32> %a, <4 x i32> %b, ptr %p) nounwind {
  call void @llvm.aarch64.neon.st2.v4i32.p0(<4 x i32> %a, <4 x i32> %b, ptr %p)
  ret void
}
define void @deinterleaved(<4 x i32> %a, <4 x i32> %b, <4 x i32> %c, ptr %p) nounwind {
  call void @llvm.aarch64.neon.st2.v4i32.p0(<4 x i32> %c, <4 x i32> %a, ptr %p)
  ret void
}
declare void @f()
define void @tuple_across_call(ptr %p, ptr %q) nounwind {
  %t = call { <4 x i32>, <4 x i32>, <4 x i32> } @llvm.aarch64.neon.ld3.v4i32.p0(ptr %p)
  %a = extractvalue { <4 x i32>, <4 x i32>, <4 x i32> } %t, 0
  %b = extractvalue { <4 x i32>, <4 x i32>, <4 x i32> } %t, 1
  %c = extractvalue { <4 x i32>, <4 x i32>, <4 x i32> } %t, 2
  call void @f()
  call void @llvm.aarch64.neon.st3.v4i32.p0(<4 x i32> %a, <4 x i32> %b, <4 x i32> %c, ptr %q)
  ret void
}
