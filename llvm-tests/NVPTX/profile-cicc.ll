; The numbers of the cicc profile: part of the registers is filled before values are spilled,
; 80 percent from sm_90 on and 70 before; a budget that is asked for holds if it is lower.
; DEFINE: %{sm} = 90
; DEFINE: %{options} =
; DEFINE: %{run} = %gpu -mcpu=sm_%{sm} -warpalloc-profile=cicc %{options} -verify-regalloc -print-regalloc-stats %s -o %t.ptx 2>&1
; RUN: %{run} | %FileCheck %s --check-prefix=SM90
; REDEFINE: %{sm} = 80
; RUN: %{run} | %FileCheck %s --check-prefix=SM80
; REDEFINE: %{options} = -warpalloc-knob=SpillThreshold=2
; RUN: %{run} | %FileCheck %s --check-prefix=SET
; REDEFINE: %{options} = -nvptx-regalloc-pressure-limit=24
; RUN: %{run} | %FileCheck %s --check-prefix=ASKED
; Every other profile has all of them.
; RUN: %gpu -mcpu=sm_90 -warpalloc-profile=ptxas -warpalloc-knob=SpillThreshold=2 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=OTHERS

; SM90:   function=k {{.*}}budget.R=204
; SM80:   function=k {{.*}}budget.R=178
; SET:    function=k used.R=5 {{.*}}budget.R=5 {{.*}}spilled=2
; ASKED:  function=k {{.*}}budget.R=24
; OTHERS: function=k {{.*}}budget.R=255

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
