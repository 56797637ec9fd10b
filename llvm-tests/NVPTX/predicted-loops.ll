; Where a kernel says how many blocks it wants, ptxas unrolls a loop of one block that counts
; by a constant, and the loads of all four copies are in registers at once.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o /dev/null 2>%t.stats
; RUN: %FileCheck %s <%t.stats

target triple = "nvptx64-nvidia-cuda"

; 16 values are loaded, and 48 by three copies more.
; CHECK: function=any {{.*}}regs={{3[0-2]}}{{ }}
define ptx_kernel void @any(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "nvvm.maxntid"="256" {
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

; CHECK: function=one {{.*}}regs=77{{ }}
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

; There are no more than five such blocks leave.
; CHECK: function=five {{.*}}regs=48{{ }}
define ptx_kernel void @five(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) "nvvm.maxntid"="256" "nvvm.minctasm"="5" {
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
