; Windows: no register survives the way into a funclet or out of it. A value that
; is needed there is stored in the frame before the call that may throw.
; RUN: %llc -mtriple=x86_64-pc-windows-msvc -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare i32 @__CxxFrameHandler3(...)
declare i64 @may_throw(i64)
declare void @use(i64)

define i64 @caught(i64 %a, i64 %b) personality ptr @__CxxFrameHandler3 {
; CHECK-LABEL: caught:
; CHECK:         leaq (%rcx,%rcx,2), [[S:%r[a-z0-9]+]]
; CHECK:         movq [[S]], [[SLOT:-?[0-9]*\(%rbp\)]] # 8-byte Spill
; CHECK:         callq may_throw
; CHECK:         # 8-byte {{(Folded )?}}Reload
; CHECK:         retq
; CHECK-LABEL: "?catch${{[0-9]+}}@?0?caught@4HA":
; CHECK:         movq [[SLOT]], %rcx # 8-byte Reload
; CHECK:         callq use
; CHECK:         retq
entry:
  %s = mul i64 %a, 3
  %t = invoke i64 @may_throw(i64 %b) to label %ok unwind label %dispatch
ok:
  %r = add i64 %s, %t
  ret i64 %r
dispatch:
  %switch = catchswitch within none [label %catch] unwind to caller
catch:
  %pad = catchpad within %switch [ptr null, i32 64, ptr null]
  call void @use(i64 %s) [ "funclet"(token %pad) ]
  catchret from %pad to label %after
after:
  ret i64 %s
}
