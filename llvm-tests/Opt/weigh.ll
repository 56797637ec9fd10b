; A kernel is compared with what it was before promotion, by what it would execute and by
; the warps that an SM holds, and stays as it was where it would take longer.
; RUN: %opt -passes=warpalloc-promote -verify-each -S %s | %FileCheck %s
; RUN: %opt -passes=warpalloc-promote -pass-remarks=warpalloc-promote \
; RUN:   -pass-remarks-missed=warpalloc-promote -disable-output %s 2>&1 | \
; RUN:   %FileCheck %s --check-prefix=REMARK
; Nothing is left of the copies, wherever bisection stops.
; RUN: %opt -passes=warpalloc-promote -opt-bisect-limit=1 -S %s 2>/dev/null | \
; RUN:   %FileCheck %s --check-prefix=BISECT
; RUN: %opt -passes=warpalloc-promote -opt-bisect-limit=30 -S %s 2>/dev/null | \
; RUN:   %FileCheck %s --check-prefix=BISECT
; With debug information the decisions are the same.
; RUN: %opt -passes=debugify,warpalloc-promote,strip %s -o %t.debug.bc
; RUN: %opt -passes=warpalloc-promote,strip %s -o %t.plain.bc
; RUN: %llc_stock -mcpu=sm_90 %t.debug.bc -o %t.debug.ptx
; RUN: %llc_stock -mcpu=sm_90 %t.plain.bc -o %t.plain.ptx
; RUN: diff %t.debug.ptx %t.plain.ptx
; Registers that the kernel may not have are spilled, which counts as well.
; RUN: %opt -passes=warpalloc-promote -nvptx-regalloc-pressure-limit=40 \
; RUN:   -pass-remarks=warpalloc-promote -disable-output %s 2>&1 | \
; RUN:   %FileCheck %s --check-prefix=LIMIT

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; BISECT-NOT: warpalloc

; What is gained is worth more than the warps.
; REMARK: local variables of 'little' become registers: {{[0-9]+}} instructions, {{[1-9][0-9]*}} of them accesses to local memory
; REMARK-SAME: 64 resident warps became {{.*}} 0 of them accesses to local memory
; CHECK-LABEL: define ptx_kernel void @little(
; CHECK-NOT: alloca
; CHECK: ret void
; LIMIT: local variables of 'little' become registers: {{.*}} 64 resident warps became
; LIMIT-SAME: {{[1-9][0-9]*}} of them accesses to local memory, {{[1-9][0-9]*}} of those for what is spilled, {{[0-9]+}} cycles, code of {{[0-9]+}}, 40 registers and 48 resident warps
define ptx_kernel void @little(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %seed) #0 {
entry:
  %a = alloca [48 x i32], align 4
  br label %fill
fill:
  %i = phi i32 [ 0, %entry ], [ %i.next, %fill ]
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %value = load i32, ptr addrspace(1) %from, align 4
  %to = getelementptr i32, ptr %a, i32 %i
  store i32 %value, ptr %to, align 4
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 48
  br i1 %more, label %fill, label %outer
outer:
  %round = phi i32 [ 0, %fill ], [ %round.next, %next ]
  br label %use
use:
  %j = phi i32 [ 0, %outer ], [ %j.next, %use ]
  %sum = phi i32 [ %seed, %outer ], [ %sum.next, %use ]
  %place = getelementptr i32, ptr %a, i32 %j
  %element = load i32, ptr %place, align 4
  %m0 = xor i32 %element, %round
  %m1 = mul i32 %m0, %m0
  %m2 = xor i32 %m1, %sum
  %sum.next = add i32 %m2, %sum
  %j.next = add nuw nsw i32 %j, 1
  %again = icmp ult i32 %j.next, 48
  br i1 %again, label %use, label %next
next:
  store i32 %sum.next, ptr addrspace(1) %q, align 4
  %round.next = add nuw nsw i32 %round, 1
  %on = icmp slt i32 %round.next, %seed
  br i1 %on, label %outer, label %end
end:
  ret void
}

; Nearly all registers, for a small part of what is executed.
; REMARK: local variables of 'much' stay in memory: {{.*}} 64 resident warps would become {{.*}} 8 resident warps
; CHECK-LABEL: define ptx_kernel void @much(
; CHECK: alloca [240 x i32]
; CHECK: load i32, ptr %place
; CHECK: ret void
define ptx_kernel void @much(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %seed) #0 {
entry:
  %a = alloca [240 x i32], align 4
  br label %fill
fill:
  %i = phi i32 [ 0, %entry ], [ %i.next, %fill ]
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %value = load i32, ptr addrspace(1) %from, align 4
  %to = getelementptr i32, ptr %a, i32 %i
  store i32 %value, ptr %to, align 4
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 240
  br i1 %more, label %fill, label %outer
outer:
  %round = phi i32 [ 0, %fill ], [ %round.next, %next ]
  br label %use
use:
  %j = phi i32 [ 0, %outer ], [ %j.next, %use ]
  %sum = phi i32 [ %seed, %outer ], [ %sum.next, %use ]
  %place = getelementptr i32, ptr %a, i32 %j
  %element = load i32, ptr %place, align 4
  %m0 = xor i32 %element, %round
  %m1 = mul i32 %m0, %m0
  %m2 = xor i32 %m1, %sum
  %m3 = mul i32 %m2, %m2
  %m4 = xor i32 %m3, %sum
  %m5 = mul i32 %m4, %m4
  %m6 = xor i32 %m5, %sum
  %m7 = mul i32 %m6, %m6
  %m8 = xor i32 %m7, %sum
  %m9 = mul i32 %m8, %m8
  %m10 = xor i32 %m9, %sum
  %m11 = mul i32 %m10, %m10
  %m12 = xor i32 %m11, %sum
  %sum.next = add i32 %m12, %sum
  %j.next = add nuw nsw i32 %j, 1
  %again = icmp ult i32 %j.next, 240
  br i1 %again, label %use, label %next
next:
  store i32 %sum.next, ptr addrspace(1) %q, align 4
  %round.next = add nuw nsw i32 %round, 1
  %on = icmp slt i32 %round.next, %seed
  br i1 %on, label %outer, label %end
end:
  ret void
}

; Not a kernel: who calls it decides. There is no copy to go back to.
; CHECK-LABEL: define void @device(
; CHECK-NOT: alloca
; CHECK: ret void
define void @device(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %seed) #0 {
entry:
  %a = alloca [240 x i32], align 4
  br label %fill
fill:
  %i = phi i32 [ 0, %entry ], [ %i.next, %fill ]
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %value = load i32, ptr addrspace(1) %from, align 4
  %to = getelementptr i32, ptr %a, i32 %i
  store i32 %value, ptr %to, align 4
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 240
  br i1 %more, label %fill, label %outer
outer:
  %round = phi i32 [ 0, %fill ], [ %round.next, %next ]
  br label %use
use:
  %j = phi i32 [ 0, %outer ], [ %j.next, %use ]
  %sum = phi i32 [ %seed, %outer ], [ %sum.next, %use ]
  %place = getelementptr i32, ptr %a, i32 %j
  %element = load i32, ptr %place, align 4
  %m0 = xor i32 %element, %round
  %m1 = mul i32 %m0, %m0
  %m2 = xor i32 %m1, %sum
  %m3 = mul i32 %m2, %m2
  %m4 = xor i32 %m3, %sum
  %m5 = mul i32 %m4, %m4
  %m6 = xor i32 %m5, %sum
  %m7 = mul i32 %m6, %m6
  %m8 = xor i32 %m7, %sum
  %m9 = mul i32 %m8, %m8
  %m10 = xor i32 %m9, %sum
  %m11 = mul i32 %m10, %m10
  %m12 = xor i32 %m11, %sum
  %sum.next = add i32 %m12, %sum
  %j.next = add nuw nsw i32 %j, 1
  %again = icmp ult i32 %j.next, 240
  br i1 %again, label %use, label %next
next:
  store i32 %sum.next, ptr addrspace(1) %q, align 4
  %round.next = add nuw nsw i32 %round, 1
  %on = icmp slt i32 %round.next, %seed
  br i1 %on, label %outer, label %end
end:
  ret void
}

attributes #0 = { "target-cpu"="sm_90" }
