; -print-regalloc-stats: one line a function on stderr, in the functions' order,
; with the figures of each register file in use.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -print-regalloc-stats %s -o /dev/null 2>&1 \
; RUN:   | FileCheck %s --implicit-check-not=warpalloc:
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o /dev/null 2>&1 | count 0

; CHECK:      warpalloc: function=integers used.[[FILE:GR64[A-Z_]*]]=3 maxlive.[[FILE]]=2 budget.[[FILE]]=15 spilled=0 stores=0 reloads=0 remats=0 coalesced={{[0-9]+}} copies_left=0 rounds=1 spill_cost=0.00 values={{[0-9]+}} spill_rate=0.00 coloured=100.00{{$}}
; CHECK-NEXT: warpalloc: function=doubles used.FR64=3 maxlive.FR64=3 budget.FR64=16 spilled=0 stores=0 reloads=0 remats=0 coalesced={{[0-9]+}} copies_left=0 rounds=1 spill_cost=0.00 values={{[0-9]+}} spill_rate=0.00 coloured=100.00{{$}}
; CHECK-NEXT: warpalloc: function=across_call used.GR64={{[12]}} maxlive.GR64=1 budget.GR64=15 spilled=0 {{.*}}
; CHECK-NEXT: warpalloc: function=$odd.name_ {{.*}} rounds={{[0-9]+}} spill_cost=0.00 values={{[0-9]+}} spill_rate=0.00 coloured=100.00{{$}}

define i64 @integers(i64 %a, i64 %b) nounwind {
  %s = add i64 %a, %b
  %m = mul i64 %s, %a
  ret i64 %m
}

define double @doubles(double %a, double %b, double %c) nounwind {
  %m = fmul double %a, %b
  %s = fadd double %m, %c
  ret double %s
}

declare void @callee()
define i64 @across_call(i64 %a) nounwind {
  call void @callee()
  ret i64 %a
}

define i64 @"$odd.name_"(i64 %a) nounwind {
  ret i64 %a
}
