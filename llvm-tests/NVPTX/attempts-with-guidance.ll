; The attempts of the ptxas profile: select spills one value more than guidance has advised, so
; the next attempt aims at one register less than that came to; with 8 registers this
; suffices. With 10 it brings no progress, and the feasibility gate has guidance leave one more
; free by force; the attempts that the profile grants beyond the first then end, as they bring
; no progress either. Where the model allows more (its coefficients, in either form, and the
; cost that counts in any case), nothing is forced.
; DEFINE: %{limit} = 8
; DEFINE: %{knobs} = 684=50
; DEFINE: %{run} = env WARPALLOC_LOG=passes::rounds=debug %gpu -mcpu=sm_90 -warpalloc-profile=ptxas -nvptx-regalloc-pressure-limit=%{limit} -warpalloc-knob=%{knobs} -verify-regalloc %s -o %t.ptx 2>%t.trace
; RUN: %{run}
; RUN: %FileCheck %s --check-prefix=SUFFICES <%t.trace
; REDEFINE: %{limit} = 10
; RUN: %{run}
; RUN: %FileCheck %s --check-prefix=FORCED <%t.trace
; REDEFINE: %{knobs} = InterpolationCoefficientA=1
; RUN: %{run}
; RUN: %FileCheck %s --check-prefix=ALLOWED <%t.trace
; REDEFINE: %{knobs} = LinearBudgetModel=1,InterpolationCoefficientC=1
; RUN: %{run}
; RUN: %FileCheck %s --check-prefix=ALLOWED <%t.trace
; REDEFINE: %{knobs} = DefaultSpillCost=1000
; RUN: %{run}
; RUN: %FileCheck %s --check-prefix=ALLOWED <%t.trace

; SUFFICES:     tried with guidance spare=0 advised=14 spilled=15
; SUFFICES:     retargets used=8 forced=false spare=1
; SUFFICES:     tried with guidance spare=1 advised=16 spilled=16
; SUFFICES:     ends attempts made=2 stalls=false

; FORCED:     tried with guidance spare=0 advised=12 spilled=13
; FORCED:     retargets used=10 forced=false spare=1
; FORCED:     tried with guidance spare=1 advised=12 spilled=13
; FORCED:     retargets used=10 forced=true spare=3
; FORCED:     tried with guidance spare=3
; FORCED:     ends attempts made=3 stalls=true

; ALLOWED:     tried with guidance spare=1
; ALLOWED:     retargets used=10 forced=false
; ALLOWED-NOT: tried with guidance
; ALLOWED:     ends attempts made=2

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @one(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "nvvm.maxntid"="256" "nvvm.minctasm"="1" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x i32> [ zeroinitializer, %entry ], [ %s3, %loop ]
  %p0 = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 %i
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 1024
  %p2 = getelementptr i8, ptr addrspace(1) %p0, i64 2048
  %p3 = getelementptr i8, ptr addrspace(1) %p0, i64 3072
  %v0 = load <4 x i32>, ptr addrspace(1) %p0
  %v1 = load <4 x i32>, ptr addrspace(1) %p1
  %v2 = load <4 x i32>, ptr addrspace(1) %p2
  %v3 = load <4 x i32>, ptr addrspace(1) %p3
  %s0 = add <4 x i32> %sum, %v0
  %s1 = add <4 x i32> %s0, %v1
  %s2 = add <4 x i32> %s1, %v2
  %s3 = add <4 x i32> %s2, %v3
  %next = add i64 %i, 256
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  store <4 x i32> %s3, ptr addrspace(1) %q
  ret void
}
