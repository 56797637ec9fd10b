; At -O0 LLVM has functions prepared for its fast allocator only, unless somebody asks
; for -optimize-regalloc; selecting ours asks for it. Functions marked optnone are no
; exception. Who forbids it gets an error, no crash report.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -O0 \
; RUN:   -print-regalloc-stats %s -o - 2>%t.err | FileCheck %s
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -O0 -optimize-regalloc \
; RUN:   -print-regalloc-stats %s -o - 2>%t.asked.err | FileCheck %s
; RUN: cmp %t.err %t.asked.err
; RUN: rm -f %t.s
; RUN: %not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -O0 -optimize-regalloc=false %s -o %t.s 2>%t.forbidden.err
; RUN: FileCheck %s --check-prefix=FORBIDDEN --implicit-check-not="bug report" <%t.forbidden.err
; RUN: %not test -f %t.s
; RUN: FileCheck %s --check-prefix=STATS <%t.err
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -O2 -print-regalloc-stats %s -o - 2>%t.err \
; RUN:   | FileCheck %s
; RUN: FileCheck %s --check-prefix=STATS <%t.err

; FORBIDDEN: warpalloc: -regalloc=warpalloc contradicts -optimize-regalloc=false

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
