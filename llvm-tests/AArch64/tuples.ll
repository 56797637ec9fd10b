; Instructions on tuples of consecutive vector registers: parts are computed in
; place, a tuple put together of arguments takes as few copies as can be, and a
; tuple is spilled and reloaded as one.
; RUN: %llc -mtriple=aarch64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare { <4 x i32>, <4 x i32>, <4 x i32> } @llvm.aarch64.neon.ld3.v4i32.p0(ptr)
declare void @llvm.aarch64.neon.st3.v4i32.p0(<4 x i32>, <4 x i32>, <4 x i32>, ptr)
declare void @llvm.aarch64.neon.st2.v4i32.p0(<4 x i32>, <4 x i32>, ptr)
declare { <4 x i32>, <4 x i32>, <4 x i32>, <4 x i32> } @llvm.aarch64.neon.ld4.v4i32.p0(ptr)
declare void @llvm.aarch64.neon.st4.v4i32.p0(<4 x i32>, <4 x i32>, <4 x i32>, <4 x i32>, ptr)
define void @rotate3(ptr %p, ptr %q) nounwind {
; CHECK-LABEL: rotate3:
; CHECK-NEXT:  // %bb.0:
; CHECK-NEXT:    ld3 { [[A:v[0-9]+]].4s, [[B:v[0-9]+]].4s, [[C:v[0-9]+]].4s }, [x0]
; CHECK-NEXT:    st3 { [[A]].4s, [[B]].4s, [[C]].4s }, [x1]
; CHECK-NEXT:    ret
  %t = call { <4 x i32>, <4 x i32>, <4 x i32> } @llvm.aarch64.neon.ld3.v4i32.p0(ptr %p)
  %a = extractvalue { <4 x i32>, <4 x i32>, <4 x i32> } %t, 0
  %b = extractvalue { <4 x i32>, <4 x i32>, <4 x i32> } %t, 1
  %c = extractvalue { <4 x i32>, <4 x i32>, <4 x i32> } %t, 2
  call void @llvm.aarch64.neon.st3.v4i32.p0(<4 x i32> %a, <4 x i32> %b, <4 x i32> %c, ptr %q)
  ret void
}
define void @sum4(ptr %p, ptr %q) nounwind {
; CHECK-LABEL: sum4:
; CHECK-NEXT:  // %bb.0:
; CHECK-NEXT:    ld4 { [[A:v[0-9]+]].4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, [[D:v[0-9]+]].4s }, [x0]
; CHECK-NEXT:    add [[A]].4s, [[A]].4s, [[D]].4s
; CHECK-NEXT:    st4 { [[A]].4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, [[D]].4s }, [x1]
; CHECK-NEXT:    ret
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
; CHECK-LABEL: interleave:
; CHECK-COUNT-2: mov v
; CHECK-NOT:     mov v
; CHECK:         st2 { v{{[0-9]+}}.4s, v{{[0-9]+}}.4s }, [x0]
  call void @llvm.aarch64.neon.st2.v4i32.p0(<4 x i32> %a, <4 x i32> %b, ptr %p)
  ret void
}
define void @deinterleaved(<4 x i32> %a, <4 x i32> %b, <4 x i32> %c, ptr %p) nounwind {
; CHECK-LABEL: deinterleaved:
; CHECK:         mov v3.16b, v0.16b
; CHECK-NEXT:    st2 { v2.4s, v3.4s }, [x0]
; CHECK-NEXT:    ret
  call void @llvm.aarch64.neon.st2.v4i32.p0(<4 x i32> %c, <4 x i32> %a, ptr %p)
  ret void
}
declare void @f()
define void @tuple_across_call(ptr %p, ptr %q) nounwind {
; CHECK-LABEL: tuple_across_call:
; CHECK:         ld3 { [[A:v[0-9]+]].4s, [[B:v[0-9]+]].4s, [[C:v[0-9]+]].4s }, [x0]
; CHECK:         st1 { [[A]].2d, [[B]].2d, [[C]].2d }, [x8] // 48-byte Folded Spill
; CHECK-NEXT:    bl f
; CHECK:         ld1 { [[X:v[0-9]+]].2d, [[Y:v[0-9]+]].2d, [[Z:v[0-9]+]].2d }, [x8] // 48-byte Folded Reload
; CHECK-NEXT:    st3 { [[X]].4s, [[Y]].4s, [[Z]].4s }, [x19]
  %t = call { <4 x i32>, <4 x i32>, <4 x i32> } @llvm.aarch64.neon.ld3.v4i32.p0(ptr %p)
  %a = extractvalue { <4 x i32>, <4 x i32>, <4 x i32> } %t, 0
  %b = extractvalue { <4 x i32>, <4 x i32>, <4 x i32> } %t, 1
  %c = extractvalue { <4 x i32>, <4 x i32>, <4 x i32> } %t, 2
  call void @f()
  call void @llvm.aarch64.neon.st3.v4i32.p0(<4 x i32> %a, <4 x i32> %b, <4 x i32> %c, ptr %q)
  ret void
}
