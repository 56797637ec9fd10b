; At -O0 the allocator is used with -optimize-regalloc, also for functions
; marked optnone.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -O0 -optimize-regalloc \
; RUN:   -print-regalloc-stats %s -o - 2>%t.err | FileCheck %s
; RUN: FileCheck %s --check-prefix=STATS <%t.err
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -O2 -print-regalloc-stats %s -o - 2>%t.err \
; RUN:   | FileCheck %s
; RUN: FileCheck %s --check-prefix=STATS <%t.err

; STATS: function=plain {{.*}}spilled=0
; STATS: function=marked {{.*}}spilled=0

; Without it LLVM's fast allocator spills all at the end of blocks.
define i64 @plain(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: plain:
; CHECK-NOT:     (%rsp)
; CHECK:         imulq
; CHECK-NOT:     (%rsp)
; CHECK:         retq
  br label %next
next:
  %m = mul i64 %a, %b
  br label %last
last:
  %s = add i64 %m, %a
  ret i64 %s
}

define i64 @marked(i64 %a, i64 %b) nounwind optnone noinline {
; CHECK-LABEL: marked:
; CHECK-NOT:     (%rsp)
; CHECK:         imulq
; CHECK-NOT:     (%rsp)
; CHECK:         retq
  br label %next
next:
  %m = mul i64 %a, %b
  br label %last
last:
  %s = add i64 %m, %a
  ret i64 %s
}
