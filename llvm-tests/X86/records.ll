; What a stack map or a patch point records may be more values than there are registers: those that
; are spilled are recorded in their slots, as many as there are. A value that is loaded from the
; stack, as arguments are, is recorded where it lies.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o %t.s
; RUN: %FileCheck %s <%t.s
; RUN: %llc -mtriple=aarch64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o /dev/null

declare void @llvm.experimental.stackmap(i64, i32, ...)
declare void @effect()

; Of twenty arguments fourteen come on the stack, and are not moved.
; CHECK-LABEL: many:
; CHECK-NOT:     movq {{.*}}(%rsp), %r
; CHECK:         retq
define void @many(i64 %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i64 %a6, i64 %a7, i64 %b0, i64 %b1, i64 %b2, i64 %b3, i64 %b4, i64 %b5, i64 %b6, i64 %b7, i64 %c0, i64 %c1, i64 %c2, i64 %c3) {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 1, i32 0, i64 %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i64 %a6, i64 %a7, i64 %b0, i64 %b1, i64 %b2, i64 %b3, i64 %b4, i64 %b5, i64 %b6, i64 %b7, i64 %c0, i64 %c1, i64 %c2, i64 %c3)
  ret void
}

; Of eighteen values that are loaded, those that are spilled are stored and not loaded again.
; CHECK-LABEL: computed:
; CHECK-NOT:     Reload
; CHECK:         Spill
; CHECK-LABEL: .Lfunc_end1
define void @computed(ptr %p) {
  %a0 = load volatile i64, ptr %p
  %a1 = load volatile i64, ptr %p
  %a2 = load volatile i64, ptr %p
  %a3 = load volatile i64, ptr %p
  %a4 = load volatile i64, ptr %p
  %a5 = load volatile i64, ptr %p
  %a6 = load volatile i64, ptr %p
  %a7 = load volatile i64, ptr %p
  %b0 = load volatile i64, ptr %p
  %b1 = load volatile i64, ptr %p
  %b2 = load volatile i64, ptr %p
  %b3 = load volatile i64, ptr %p
  %b4 = load volatile i64, ptr %p
  %b5 = load volatile i64, ptr %p
  %b6 = load volatile i64, ptr %p
  %b7 = load volatile i64, ptr %p
  %c0 = load volatile i64, ptr %p
  %c1 = load volatile i64, ptr %p
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 2, i32 0, i64 %a0, i64 %a1, i64 %a2, i64 %a3, i64 %a4, i64 %a5, i64 %a6, i64 %a7, i64 %b0, i64 %b1, i64 %b2, i64 %b3, i64 %b4, i64 %b5, i64 %b6, i64 %b7, i64 %c0, i64 %c1)
  ret void
}
