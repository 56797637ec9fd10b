; Calls that were inlined for a variable which stays in memory all the same come back, in the
; kernel and in what it calls: nothing is in the code that was not there before.
; RUN: %opt -passes=warpalloc -verify-each -S %s -o %t.ll
; RUN: %FileCheck %s < %t.ll
; RUN: %opt -passes=warpalloc -pass-remarks=warpalloc -pass-remarks-missed=warpalloc-inline \
; RUN:   -disable-output %s 2>&1 | %FileCheck %s --check-prefix=REMARK
; Nothing is left of the copies, wherever bisection stops.
; RUN: %opt -passes=warpalloc -opt-bisect-limit=12 -S %s 2>/dev/null | \
; RUN:   %FileCheck %s --check-prefix=BISECT

target triple = "nvptx64-nvidia-cuda"

; BISECT-NOT: warpalloc

; The place that is read is known only when the kernel runs, and there are too many to choose
; from.
; REMARK-NOT: 'unknown' become registers
; REMARK: calls in 'unknown' stay: inlined, they leave as much in local memory
; CHECK-LABEL: define ptx_kernel void @unknown(
; CHECK-NEXT: %a = alloca [200 x i32]
; CHECK-NEXT: call void @fill(ptr %a, i32 %seed)
; CHECK-NEXT: call void @fill(ptr %a, i32 %place)
; CHECK-NEXT: %from = getelementptr
; CHECK-NEXT: load
; CHECK-NEXT: store
; CHECK-NEXT: ret void
define ptx_kernel void @unknown(ptr addrspace(1) %out, i32 %seed, i32 %place) {
  %a = alloca [200 x i32]
  call void @fill(ptr %a, i32 %seed)
  call void @fill(ptr %a, i32 %place)
  %from = getelementptr i32, ptr %a, i32 %place
  %v = load i32, ptr %from
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; What reaches its variable through the same function is inlined.
; CHECK-LABEL: define ptx_kernel void @known(
; CHECK-NOT: alloca
; CHECK-NOT: call
; CHECK: ret void
define ptx_kernel void @known(ptr addrspace(1) %out, i32 %seed) {
  %a = alloca [200 x i32]
  call void @fill(ptr %a, i32 %seed)
  %from = getelementptr i32, ptr %a, i32 7
  %v = load i32, ptr %from
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define internal void @fill(
; CHECK: call void @one(
; CHECK: ret void
define internal void @fill(ptr %p, i32 %seed) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @one(ptr %p, i32 %i, i32 %seed)
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 200
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define internal void @one(
define internal void @one(ptr %p, i32 %i, i32 %seed) {
  %to = getelementptr i32, ptr %p, i32 %i
  %v = mul i32 %seed, %i
  store i32 %v, ptr %to
  ret void
}
