; Values of options that make no sense are errors, with nothing written.
; RUN: rm -f %t.s
; RUN: not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-disable=nonsense %s -o %t.s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=DISABLE
; RUN: not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -nvptx-regalloc-coalescing-factor=-1 %s \
; RUN:   -o %t.s 2>&1 | FileCheck %s --check-prefix=FACTOR
; RUN: not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -spill-limit=many %s \
; RUN:   -o %t.s 2>&1 | FileCheck %s --check-prefix=NUMBER
; RUN: not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-dump=%s/inside-a-file %s \
; RUN:   -o %t.s 2>&1 | FileCheck %s --check-prefix=DUMP
; RUN: not llc-22 -mtriple=x86_64-linux-gnu -regalloc=warpalloc %s -o %t.s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=UNLOADED
; RUN: not ls %t.s
; The known passes can all be left out.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -warpalloc-disable=coalesce,hints %s -o - \
; RUN:   | FileCheck %s

; DISABLE: error: warpalloc: {{.*}}-warpalloc-disable: unknown pass 'nonsense'
; FACTOR: error: warpalloc: {{.*}}-nvptx-regalloc-coalescing-factor=-1 is not a number above 0
; NUMBER: for the --spill-limit option: 'many' value invalid
; DUMP: error: warpalloc: {{.*}}cannot write the dump {{.*}}inside-a-file
; UNLOADED: Cannot find option named 'warpalloc'

define i64 @f(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: f:
; CHECK:         imulq
; CHECK:         retq
  %m = mul i64 %a, %b
  ret i64 %m
}
