declare i64 @callee(i64)
declare void @use(ptr)
define i64 @one(i64 %a, i64 %b) nounwind {
  %v = call i64 @callee(i64 %a)
  %s = add i64 %v, %b
  ret i64 %s
}
define double @lower_half(double %a) nounwind {
  %v = call i64 @callee(i64 1)
  %r = fadd double %a, %a
  ret double %r
}
define <2 x double> @whole(<2 x double> %a) nounwind {
  %v = call i64 @callee(i64 1)
  ret <2 x double> %a
}
declare aarch64_vector_pcs void @vector_callee()
define <2 x double> @vector_pcs(<2 x double> %a) nounwind {
  call aarch64_vector_pcs void @vector_callee()
  ret <2 x double> %a
}
define i64 @tail(i64 %a, i64 %b) nounwind {
  %m = mul i64 %a, %b
  %r = tail call i64 @callee(i64 %m)
  ret i64 %r
}
define i64 @indirect_tail(ptr %f, i64 %a, i64 %b) nounwind {
  %v = call i64 @callee(i64 %b)
  %r = tail call i64 %f(i64 %v, i64 %a)
  ret i64 %r
}
define i128 @cas(ptr %p, i128 %o, i128 %n) nounwind "target-features"="+lse" {
  %r = cmpxchg ptr %p, i128 %o, i128 %n seq_cst seq_cst
  %v = extractvalue { i128, i1 } %r, 0
  ret i128 %v
}
