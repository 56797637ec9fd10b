; -warpalloc-knob=help lists the knobs on stdout and does nothing else, wherever it
; stands.
; RUN: rm -f %t.s
; RUN: %llc -warpalloc-knob=help >%t.help 2>%t.errors
; RUN: FileCheck %s --check-prefix=HELP <%t.help
; RUN: count 0 <%t.errors
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc %s -o %t.s -warpalloc-knob=684=10,help | cmp - %t.help
; RUN: %clang --target=x86_64-linux-gnu -S -x ir %s -o %t.s -mllvm -warpalloc-knob=help | cmp - %t.help

; Settings that make no sense are errors, with nothing written.
; RUN: not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -warpalloc-knob=nonsense=1 %s -o %t.s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -warpalloc-knob=650=1 %s -o %t.s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=UNDESCRIBED
; RUN: not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -warpalloc-knob=618 %s -o %t.s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=NO-VALUE
; RUN: not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -warpalloc-knob=684=50 -warpalloc-knob=618=off %s -o %t.s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=TYPE
; RUN: not %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -warpalloc-knob=RegAllocPrefMacOperands=4 %s -o %t.s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=RANGE
; RUN: not ls %t.s

; The command line tool takes the same settings.
; RUN: rm -rf %t.dump
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -warpalloc-dump=%t.dump %s -o %t.s
; RUN: %warpalloc_cli replay --knob 684=10,RegAllocCoalescing=0 --knob 680=2.5 %t.dump/f.warp \
; RUN:   | FileCheck %s --check-prefix=REPLAY
; RUN: not %warpalloc_cli replay --knob 618=2 %t.dump/f.warp 2>&1 | FileCheck %s --check-prefix=REPLAY-TYPE

; HELP:      set by name or by number: NAME=VALUE
; HELP:        618  RegAllocCoalescing
; HELP-NEXT:        takes a bool, 0 or 1; default 1
; HELP-NEXT:        Copy-related values are merged;
; HELP-NOT:         no effect
; HELP:        619  -
; HELP:        684  RegAllocThresholdForDiscardConflicts
; HELP-NEXT:        takes an integer from 0 to 63; default 50
; HELP-NEXT:        Registers that are occupied at more places of a value's live range than this are
; HELP-NEXT:        not tried (fat-point select).
; HELP-EMPTY:
; HELP:          -  RegUsageLevel
; HELP:             accepted, no effect: the documents only name it
; HELP:      The other knobs of ptxas' register allocation, numbers 613 to 699, are refused:

; UNKNOWN: error: warpalloc: in function 'f': -warpalloc-knob: unknown knob 'nonsense'; -warpalloc-knob=help lists all
; UNDESCRIBED: -warpalloc-knob: knob 650 belongs to ptxas' register allocation, but the documents do not say what it does
; NO-VALUE: -warpalloc-knob: '618' is not NAME=VALUE
; TYPE: -warpalloc-knob: knob RegAllocCoalescing takes a bool, 0 or 1, not 'off'
; RANGE: -warpalloc-knob: knob RegAllocPrefMacOperands takes an integer from 0 to 3, not '4'
; REPLAY: warpalloc: function=f
; REPLAY-TYPE: --knob: error: knob RegAllocCoalescing takes a bool, 0 or 1, not '2'

define i64 @f(i64 %a, i64 %b) nounwind {
  %m = mul i64 %a, %b
  ret i64 %m
}
