; A function's name is bytes, in no encoding: it is allocated, reported and dumped
; like any other.
; RUN: rm -rf %t
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -print-regalloc-stats \
; RUN:   -warpalloc-dump=%t %s -o /dev/null 2>&1 | FileCheck %s
; RUN: %warpalloc_cli check %t/_x.warp
; CHECK: warpalloc: function={{.*}}x used.
define i64 @"\FFx"(i64 %a, i64 %b) {
  %sum = add i64 %a, %b
  ret i64 %sum
}
