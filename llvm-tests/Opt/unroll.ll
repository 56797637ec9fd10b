; Loops whose counters index stack variables are unrolled, and the variables become registers.
; RUN: %opt -passes=warpalloc-promote -verify-each -S %s | %FileCheck %s
; RUN: %opt -passes=warpalloc-promote -pass-remarks-missed=warpalloc-promote -disable-output %s 2>&1 | %FileCheck %s --check-prefix=REMARK

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @unrolled
; CHECK-NOT: alloca
; CHECK-COUNT-4: load float, ptr addrspace(1)
; CHECK-NOT: load
; CHECK: ret void
define ptx_kernel void @unrolled(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %a = alloca [4 x float]
  br label %fill
fill:
  %i = phi i32 [ 0, %entry ], [ %i.next, %fill ]
  %wide = zext i32 %i to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %wide
  %x = load float, ptr addrspace(1) %from
  %to = getelementptr inbounds float, ptr %a, i64 %wide
  store float %x, ptr %to
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 4
  br i1 %more, label %fill, label %sum
sum:
  %j = phi i64 [ 3, %fill ], [ %j.next, %sum ]
  %total = phi float [ 0.0, %fill ], [ %total.next, %sum ]
  %place = getelementptr inbounds float, ptr %a, i64 %j
  %y = load float, ptr %place
  %total.next = fadd float %total, %y
  %j.next = add i64 %j, -1
  %done = icmp eq i64 %j, 0
  br i1 %done, label %end, label %sum
end:
  store float %total.next, ptr addrspace(1) %out
  ret void
}

; The counter starts anywhere; what indexes the array does not.
; CHECK-LABEL: define ptx_kernel void @difference
; CHECK-NOT: alloca
; CHECK: ret void
define ptx_kernel void @difference(i32 %start, ptr addrspace(1) %out) {
entry:
  %a = alloca [4 x float]
  %second = getelementptr inbounds i8, ptr %a, i64 4
  %third = getelementptr inbounds i8, ptr %a, i64 8
  %last = getelementptr inbounds i8, ptr %a, i64 12
  store float 1.0, ptr %a
  store float 2.0, ptr %second
  store float 3.0, ptr %third
  store float 4.0, ptr %last
  %end = add i32 %start, 3
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %i.next, %loop ]
  %index = sub nsw i32 %i, %start
  %wide = sext i32 %index to i64
  %place = getelementptr inbounds float, ptr %a, i64 %wide
  %x = load float, ptr %place
  %outside = sext i32 %i to i64
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %outside
  store float %x, ptr addrspace(1) %to
  %i.next = add i32 %i, 1
  %done = icmp eq i32 %i, %end
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; A loop that no variable needs stays as it is.
; CHECK-LABEL: define ptx_kernel void @other_loop
; CHECK-NOT: alloca
; CHECK: phi i32
; CHECK: br i1
define ptx_kernel void @other_loop(ptr addrspace(1) %out, i32 %n) {
entry:
  %a = alloca [2 x float]
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %to = getelementptr inbounds float, ptr %a, i64 %i
  store float 1.0, ptr %to
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 2
  br i1 %more, label %fill, label %loop
loop:
  %j = phi i32 [ 0, %fill ], [ %j.next, %loop ]
  %x = load float, ptr %a
  store volatile float %x, ptr addrspace(1) %out
  %j.next = add i32 %j, 1
  %again = icmp ult i32 %j.next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Volatile, escaping and of unknown trip count: left alone.
; CHECK-LABEL: define ptx_kernel void @volatile
; CHECK: alloca [4 x float]
; CHECK: phi i64
define ptx_kernel void @volatile() {
entry:
  %a = alloca [4 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %to = getelementptr inbounds float, ptr %a, i64 %i
  store volatile float 1.0, ptr %to
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @escapes
; CHECK: alloca [4 x float]
; CHECK: phi i64
define ptx_kernel void @escapes() {
entry:
  %a = alloca [4 x float]
  call void @unknown(ptr %a)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %to = getelementptr inbounds float, ptr %a, i64 %i
  store float 1.0, ptr %to
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %loop, label %end
end:
  call void @unknown(ptr %a)
  ret void
}
declare void @unknown(ptr)

; CHECK-LABEL: define ptx_kernel void @unknown_trips
; CHECK: alloca [64 x float]
; CHECK: phi i64
define ptx_kernel void @unknown_trips(i64 %n, i64 %k, ptr addrspace(1) %out) {
entry:
  %a = alloca [64 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %to = getelementptr inbounds float, ptr %a, i64 %i
  store float 1.0, ptr %to
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  %place = getelementptr inbounds float, ptr %a, i64 %k
  %x = load float, ptr %place
  store float %x, ptr addrspace(1) %out
  ret void
}

; Much work for one access.
; REMARK: remark: {{.*}}a local variable stays in memory: unrolling the loops that index it would add {{[0-9]+}} units of code, to {{[0-9]+}} for one loop, for 13 accesses; at most 16 for each are allowed, and 16384 for a loop
; CHECK-LABEL: define ptx_kernel void @work
; CHECK: alloca [12 x i64]
define ptx_kernel void @work(i64 %seed, ptr addrspace(1) %out) {
entry:
  %a = alloca [12 x i64]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s0 = phi i64 [ %seed, %entry ], [ %s12, %loop ]
  %s1 = udiv i64 %s0, %seed
  %s2 = urem i64 %s1, %seed
  %s3 = udiv i64 %s2, %seed
  %s4 = urem i64 %s3, %seed
  %s5 = udiv i64 %s4, %seed
  %s6 = urem i64 %s5, %seed
  %s7 = udiv i64 %s6, %seed
  %s8 = urem i64 %s7, %seed
  %s9 = udiv i64 %s8, %seed
  %s10 = urem i64 %s9, %seed
  %s11 = udiv i64 %s10, %seed
  %s12 = urem i64 %s11, %seed
  %to = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %s12, ptr %to
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, 12
  br i1 %more, label %loop, label %end
end:
  %x = load i64, ptr %a
  store i64 %x, ptr addrspace(1) %out
  ret void
}
