; The documented driver of the ptxas profile: the budget model says whether an attempt without
; spilling comes first; the register classes come in turn, each with its heading; guidance
; comes before select spills; the six lists are drained in the order of the table although
; the function has several blocks; a value that is dear to spill is on High.
; DEFINE: %{limit} = 255
; DEFINE: %{knobs} = 684=50
; DEFINE: %{run} = env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -warpalloc-profile=ptxas -nvptx-regalloc-pressure-limit=%{limit} -warpalloc-knob=%{knobs} -verify-regalloc -print-regalloc-stats %s -o %t.ptx 2>%t.trace
; RUN: %{run}
; RUN: %FileCheck %s --check-prefix=FITS <%t.trace
; REDEFINE: %{limit} = 24
; RUN: %{run}
; RUN: %FileCheck %s --check-prefix=EXPECTS <%t.trace
; REDEFINE: %{knobs} = InterpolationCoefficientA=0.9
; RUN: %{run}
; RUN: %FileCheck %s --check-prefix=FITS <%t.trace
; REDEFINE: %{knobs} = LinearBudgetModel=1,InterpolationCoefficientC=0.9
; RUN: %{run}
; RUN: %FileCheck %s --check-prefix=FITS <%t.trace
; REDEFINE: %{knobs} = 639=0,InterpolationCoefficientA=0.9
; RUN: %{run}
; RUN: %FileCheck %s --check-prefix=NO-TRIALS <%t.trace
; REDEFINE: %{limit} = 6
; REDEFINE: %{knobs} = 684=50
; RUN: %{run}
; RUN: %FileCheck %s --check-prefix=SPILLS <%t.trace
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; REDEFINE: %{knobs} = DefaultSpillCost=none
; RUN: %{run}
; RUN: %FileCheck %s --check-prefix=SPILLS <%t.trace
; REDEFINE: %{knobs} = DefaultSpillCost=1000
; RUN: %{run}
; RUN: %FileCheck %s --check-prefix=CHEAP <%t.trace

; Where the model leaves the function room, values are coloured without spilling.
; FITS:     budget model wanted=Wanted { pair_penalty: 1, demanded: 7, live: 0 } {{.*}}expects=false
; FITS:     register class class=0 values={{[0-9]+}} attempt=nospill
; FITS:     register class class=1 values=5 attempt=nospill
; FITS:     register class class=5 values=1 attempt=nospill
; FITS:     register class class=6 values=0 attempt=nospill
; FITS:     coloured attempt=nospill failed=0
; FITS-NOT: attempt=retry

; A fifth of 24 registers is less than it wants: guidance comes first.
; EXPECTS:     budget model {{.*}}registers=24 expects=true
; EXPECTS-NOT: attempt=nospill
; EXPECTS:     register class class=1 values=5 attempt=retry
; EXPECTS:     tried with guidance spare=0 advised=0 spilled=0
; EXPECTS:     ends attempts made=1 stalls=false

; NO-TRIALS:     budget model {{.*}}expects=false
; NO-TRIALS-NOT: attempt=nospill
; NO-TRIALS:     coloured attempt=retry failed=0

; SPILLS:     budget model {{.*}}registers=6 expects=true
; SPILLS:     guidance advises file=file0 points={{[0-9]+}} values=1
; SPILLS:     ordered value=v{{[0-9]+}} list=VeryHigh position=4
; SPILLS:     ordered value=v{{[0-9]+}} list=VeryHigh position=5
; SPILLS:     ordered value=v{{[0-9]+}} list=High position=6
; SPILLS:     register class class=1 values=6 attempt=retry
; SPILLS:     coloured attempt=retry failed=0
; SPILLS:     tried with guidance spare=0 advised=1 spilled=1
; SPILLS:     function=k used.R=6 {{.*}}spilled=1 stores=1 reloads=1

; CHEAP-NOT: list=High
; CHEAP:     function=k used.R=6 {{.*}}spilled=1 stores=1 reloads=1

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) {
entry:
  %waits = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %waits, ptr addrspace(1) %p
  %wide = load volatile i64, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %p
  br label %loop

loop:
  %count = phi i32 [ %a, %entry ], [ %next, %loop ]
  store volatile i64 %wide, ptr addrspace(1) %p
  %x = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %count, ptr addrspace(1) %p
  %next = add i32 %count, %x
  %again = icmp ne i32 %x, 0
  br i1 %again, label %loop, label %exit

exit:
  store volatile i32 %waits, ptr addrspace(1) %p
  store volatile i32 %waits, ptr addrspace(1) %p
  store volatile i32 %next, ptr addrspace(1) %p
  ret void
}
