; What would access local memory more often in registers stays there, whatever else it would
; save: four elements at once are one access as long as they are in memory, and each is spilled
; for itself.
; RUN: %opt -passes=warpalloc-promote -nvptx-regalloc-pressure-limit=24 -verify-each -S %s | \
; RUN:   %FileCheck %s
; RUN: %opt -passes=warpalloc-promote -nvptx-regalloc-pressure-limit=24 \
; RUN:   -pass-remarks-missed=warpalloc-promote -disable-output %s 2>&1 | \
; RUN:   %FileCheck %s --check-prefix=REMARK
; RUN: %opt -passes=warpalloc-promote -verify-each -S %s | %FileCheck %s --check-prefix=FREE

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @rows(
; CHECK: alloca
; CHECK: load <4 x i32>, ptr %from
; REMARK: local variables of 'rows' stay in memory: {{[0-9]+}} instructions, 72 of them accesses to local memory, 0 of those for what is spilled, {{.*}} would become {{.*}} [[SPILLED:[0-9]+]] of them accesses to local memory, [[SPILLED]] of those for what is spilled
; FREE-LABEL: define ptx_kernel void @rows(
; FREE-NOT: alloca
; FREE: ret void
define ptx_kernel void @rows(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) #0 {
entry:
  %rows = alloca [8 x <4 x i32>], align 16
  br label %fill
fill:
  %i = phi i32 [ 0, %entry ], [ %i.next, %fill ]
  %to = getelementptr [8 x <4 x i32>], ptr %rows, i32 0, i32 %i
  %row = load volatile <4 x i32>, ptr addrspace(1) %p
  store <4 x i32> %row, ptr %to
  %i.next = add i32 %i, 1
  %i.more = icmp ult i32 %i.next, 8
  br i1 %i.more, label %fill, label %outer
outer:
  %k = phi i32 [ 0, %fill ], [ %k.next, %outer.end ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %from = getelementptr [8 x <4 x i32>], ptr %rows, i32 0, i32 %j
  %again = load <4 x i32>, ptr %from
  store volatile <4 x i32> %again, ptr addrspace(1) %q
  ; Nothing of this is left once the loop is unrolled.
  %m0 = mul i32 %j, %j
  %m1 = xor i32 %m0, 21
  %m2 = mul i32 %m1, %j
  %m3 = xor i32 %m2, 77
  %m4 = mul i32 %m3, %j
  %m5 = xor i32 %m4, 45
  store volatile i32 %m5, ptr addrspace(1) %q
  %j.next = add i32 %j, 1
  %j.more = icmp ult i32 %j.next, 8
  br i1 %j.more, label %inner, label %outer.end
outer.end:
  %k.next = add i32 %k, 1
  %k.more = icmp slt i32 %k.next, %n
  br i1 %k.more, label %outer, label %done
done:
  ret void
}

attributes #0 = { nounwind "target-cpu"="sm_90" }
