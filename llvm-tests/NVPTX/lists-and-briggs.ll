; Coalescing, Briggs' simplify and select in the order of the six lists, spill guidance and
; lazy reload: the trace shows each step on one function.
; RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -warpalloc-order=lists -nvptx-regalloc-pressure-limit=6 -join-liveintervals=false -warpalloc-disable=remat,reorder -verify-regalloc -print-regalloc-stats %s -o %t.ptx 2>%t.trace
; RUN: %FileCheck %s <%t.trace
; RUN: %FileCheck %s --check-prefix=PTX <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90 -warpalloc-order=degrees -nvptx-regalloc-pressure-limit=6 -join-liveintervals=false -warpalloc-disable=remat,reorder -verify-regalloc %s -o %t.degrees.ptx 2>%t.degrees
; RUN: %FileCheck %s --check-prefix=DEGREES <%t.degrees
; RUN: not %gpu -mcpu=sm_90 -warpalloc-order=nonsense %s -o %t.none.ptx 2>&1 | %FileCheck %s --check-prefix=NONE
; RUN: not ls %t.none.ptx

target triple = "nvptx64-nvidia-cuda"

; LLVM's coalescer is off: the copies that phis become are left for ours. The wide value is
; on VeryHigh, which is drained before the lists of single ones; what its removal makes
; colourable joins Unconstrained. Guidance spills what waits through the loop instead.
; CHECK:     coalesced copies=3 merged=3 left=0
; CHECK:     simplified value=v{{[0-9]+}} list=Unconstrained position=0
; CHECK:     simplified value=v{{[0-9]+}} list=VeryHigh position=
; CHECK:     coloured attempt=spill failed=1
; CHECK:     guidance advises file=file0 points={{[0-9]+}} values=1
; CHECK:     store value=[[WAITS:v[0-9]+]] slot=slot0
; CHECK:     reload value=[[WAITS]] slot=slot0
; CHECK:     coloured attempt=retry failed=0
; CHECK:     tried with guidance spare=0 advised=2.0 now=2.0
; CHECK:     function=k used.R=6 maxlive.R=6 budget.R=6 {{.*}}spilled=1 stores=1 reloads=1

; The value is stored where it is defined and reloaded behind the loop, once.
; PTX:       st.local.b32 [%SPL], [[W:%r[0-9]+]];
; PTX-NEXT:  st.volatile.global.b32 [%rd1], [[W]];
; PTX:     $L__BB0_1:
; PTX-NOT:   local
; PTX:       bra $L__BB0_1;
; PTX:       ld.local.b32 [[BACK:%r[0-9]+]], [%SPL];
; PTX-NEXT:  st.volatile.global.b32 [%rd1], [[BACK]];
; PTX-NEXT:  st.volatile.global.b32 [%rd1], [[BACK]];
; PTX-NOT:   local
; PTX:       ret;

; DEGREES:     simplified value=v{{[0-9]+}} position=0
; DEGREES-NOT: list=
; NONE: error: warpalloc: in function 'k': -warpalloc-order: unknown order 'nonsense'; it can be one of: lists, degrees
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
