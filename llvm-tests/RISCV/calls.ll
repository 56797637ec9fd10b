declare i64 @callee(i64)
define i64 @one(i64 %a, i64 %b) nounwind {
  %v = call i64 @callee(i64 %a)
  %s = add i64 %v, %b
  ret i64 %s
}
define double @floating(double %a, i64 %n) nounwind {
  %v = call i64 @callee(i64 %n)
  %d = sitofp i64 %v to double
  %s = fadd double %d, %a
  ret double %s
}
define i64 @leaf(i64 %a, i64 %b, i64 %c) nounwind {
  %m = mul i64 %a, %b
  %s = add i64 %m, %c
  ret i64 %s
}
define i64 @tail(i64 %a, i64 %b) nounwind {
  %m = mul i64 %a, %b
  %r = tail call i64 @callee(i64 %m)
  ret i64 %r
}
define i64 @spilled(i64 %a) nounwind {
  call void asm sideeffect "", "~{x1},~{x5},~{x6},~{x7},~{x8},~{x9},~{x10},~{x11},~{x12},~{x13},~{x14},~{x15},~{x16},~{x17},~{x18},~{x19},~{x20},~{x21},~{x22},~{x23},~{x24},~{x25},~{x26},~{x27},~{x28},~{x29},~{x30},~{x31}"()
  ret i64 %a
}
