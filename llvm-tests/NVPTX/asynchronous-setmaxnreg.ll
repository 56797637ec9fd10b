; A budget is that of the region: in the warps that give registers away, and behind the
; setmaxnreg of those that get some. Twenty-eight values live through the kernel.
; RUN: %gpu -mcpu=sm_90a -mattr=+ptx88 %s -print-regalloc-stats -o /dev/null 2>&1 | %FileCheck %s
; RUN: sed 's/dec.sync.aligned.u32(i32 24)/dec.sync.aligned.u32(i32 56)/' %s > %t.ll
; RUN: %gpu -mcpu=sm_90a -mattr=+ptx88 %t.ll -print-regalloc-stats -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=ENOUGH
; RUN: %if ptxas %{ %ptxas -arch=sm_90a %t.ptx -o /dev/null %}
; CHECK: function=roles {{.*}} budget.R=232 {{.*}} spilled={{[1-9]}}
; ENOUGH: function=roles {{.*}} budget.R=232 {{.*}} spilled=0

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @roles(ptr %in, ptr %out, i32 %role) #0 {
entry:
  %is_producer = icmp eq i32 %role, 0
  %p0 = getelementptr i32, ptr %in, i32 0
  %v0 = load volatile i32, ptr %p0
  %p1 = getelementptr i32, ptr %in, i32 1
  %v1 = load volatile i32, ptr %p1
  %p2 = getelementptr i32, ptr %in, i32 2
  %v2 = load volatile i32, ptr %p2
  %p3 = getelementptr i32, ptr %in, i32 3
  %v3 = load volatile i32, ptr %p3
  %p4 = getelementptr i32, ptr %in, i32 4
  %v4 = load volatile i32, ptr %p4
  %p5 = getelementptr i32, ptr %in, i32 5
  %v5 = load volatile i32, ptr %p5
  %p6 = getelementptr i32, ptr %in, i32 6
  %v6 = load volatile i32, ptr %p6
  %p7 = getelementptr i32, ptr %in, i32 7
  %v7 = load volatile i32, ptr %p7
  %p8 = getelementptr i32, ptr %in, i32 8
  %v8 = load volatile i32, ptr %p8
  %p9 = getelementptr i32, ptr %in, i32 9
  %v9 = load volatile i32, ptr %p9
  %p10 = getelementptr i32, ptr %in, i32 10
  %v10 = load volatile i32, ptr %p10
  %p11 = getelementptr i32, ptr %in, i32 11
  %v11 = load volatile i32, ptr %p11
  %p12 = getelementptr i32, ptr %in, i32 12
  %v12 = load volatile i32, ptr %p12
  %p13 = getelementptr i32, ptr %in, i32 13
  %v13 = load volatile i32, ptr %p13
  %p14 = getelementptr i32, ptr %in, i32 14
  %v14 = load volatile i32, ptr %p14
  %p15 = getelementptr i32, ptr %in, i32 15
  %v15 = load volatile i32, ptr %p15
  %p16 = getelementptr i32, ptr %in, i32 16
  %v16 = load volatile i32, ptr %p16
  %p17 = getelementptr i32, ptr %in, i32 17
  %v17 = load volatile i32, ptr %p17
  %p18 = getelementptr i32, ptr %in, i32 18
  %v18 = load volatile i32, ptr %p18
  %p19 = getelementptr i32, ptr %in, i32 19
  %v19 = load volatile i32, ptr %p19
  %p20 = getelementptr i32, ptr %in, i32 20
  %v20 = load volatile i32, ptr %p20
  %p21 = getelementptr i32, ptr %in, i32 21
  %v21 = load volatile i32, ptr %p21
  %p22 = getelementptr i32, ptr %in, i32 22
  %v22 = load volatile i32, ptr %p22
  %p23 = getelementptr i32, ptr %in, i32 23
  %v23 = load volatile i32, ptr %p23
  %p24 = getelementptr i32, ptr %in, i32 24
  %v24 = load volatile i32, ptr %p24
  %p25 = getelementptr i32, ptr %in, i32 25
  %v25 = load volatile i32, ptr %p25
  %p26 = getelementptr i32, ptr %in, i32 26
  %v26 = load volatile i32, ptr %p26
  %p27 = getelementptr i32, ptr %in, i32 27
  %v27 = load volatile i32, ptr %p27
  br i1 %is_producer, label %producer, label %consumer

producer:
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 24)
  br label %work

consumer:
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 232)
  br label %stored

work:
  call void asm sideeffect "nanosleep.u32 20;", ""()
  %work0 = getelementptr i32, ptr %out, i32 0
  store volatile i32 %v0, ptr %work0
  %work1 = getelementptr i32, ptr %out, i32 1
  store volatile i32 %v1, ptr %work1
  %work2 = getelementptr i32, ptr %out, i32 2
  store volatile i32 %v2, ptr %work2
  %work3 = getelementptr i32, ptr %out, i32 3
  store volatile i32 %v3, ptr %work3
  %work4 = getelementptr i32, ptr %out, i32 4
  store volatile i32 %v4, ptr %work4
  %work5 = getelementptr i32, ptr %out, i32 5
  store volatile i32 %v5, ptr %work5
  %work6 = getelementptr i32, ptr %out, i32 6
  store volatile i32 %v6, ptr %work6
  %work7 = getelementptr i32, ptr %out, i32 7
  store volatile i32 %v7, ptr %work7
  %work8 = getelementptr i32, ptr %out, i32 8
  store volatile i32 %v8, ptr %work8
  %work9 = getelementptr i32, ptr %out, i32 9
  store volatile i32 %v9, ptr %work9
  %work10 = getelementptr i32, ptr %out, i32 10
  store volatile i32 %v10, ptr %work10
  %work11 = getelementptr i32, ptr %out, i32 11
  store volatile i32 %v11, ptr %work11
  %work12 = getelementptr i32, ptr %out, i32 12
  store volatile i32 %v12, ptr %work12
  %work13 = getelementptr i32, ptr %out, i32 13
  store volatile i32 %v13, ptr %work13
  %work14 = getelementptr i32, ptr %out, i32 14
  store volatile i32 %v14, ptr %work14
  %work15 = getelementptr i32, ptr %out, i32 15
  store volatile i32 %v15, ptr %work15
  %work16 = getelementptr i32, ptr %out, i32 16
  store volatile i32 %v16, ptr %work16
  %work17 = getelementptr i32, ptr %out, i32 17
  store volatile i32 %v17, ptr %work17
  %work18 = getelementptr i32, ptr %out, i32 18
  store volatile i32 %v18, ptr %work18
  %work19 = getelementptr i32, ptr %out, i32 19
  store volatile i32 %v19, ptr %work19
  %work20 = getelementptr i32, ptr %out, i32 20
  store volatile i32 %v20, ptr %work20
  %work21 = getelementptr i32, ptr %out, i32 21
  store volatile i32 %v21, ptr %work21
  %work22 = getelementptr i32, ptr %out, i32 22
  store volatile i32 %v22, ptr %work22
  %work23 = getelementptr i32, ptr %out, i32 23
  store volatile i32 %v23, ptr %work23
  %work24 = getelementptr i32, ptr %out, i32 24
  store volatile i32 %v24, ptr %work24
  %work25 = getelementptr i32, ptr %out, i32 25
  store volatile i32 %v25, ptr %work25
  %work26 = getelementptr i32, ptr %out, i32 26
  store volatile i32 %v26, ptr %work26
  %work27 = getelementptr i32, ptr %out, i32 27
  store volatile i32 %v27, ptr %work27
  ret void

stored:
  %stored0 = getelementptr i32, ptr %out, i32 0
  store volatile i32 %v0, ptr %stored0
  %stored1 = getelementptr i32, ptr %out, i32 1
  store volatile i32 %v1, ptr %stored1
  %stored2 = getelementptr i32, ptr %out, i32 2
  store volatile i32 %v2, ptr %stored2
  %stored3 = getelementptr i32, ptr %out, i32 3
  store volatile i32 %v3, ptr %stored3
  %stored4 = getelementptr i32, ptr %out, i32 4
  store volatile i32 %v4, ptr %stored4
  %stored5 = getelementptr i32, ptr %out, i32 5
  store volatile i32 %v5, ptr %stored5
  %stored6 = getelementptr i32, ptr %out, i32 6
  store volatile i32 %v6, ptr %stored6
  %stored7 = getelementptr i32, ptr %out, i32 7
  store volatile i32 %v7, ptr %stored7
  %stored8 = getelementptr i32, ptr %out, i32 8
  store volatile i32 %v8, ptr %stored8
  %stored9 = getelementptr i32, ptr %out, i32 9
  store volatile i32 %v9, ptr %stored9
  %stored10 = getelementptr i32, ptr %out, i32 10
  store volatile i32 %v10, ptr %stored10
  %stored11 = getelementptr i32, ptr %out, i32 11
  store volatile i32 %v11, ptr %stored11
  %stored12 = getelementptr i32, ptr %out, i32 12
  store volatile i32 %v12, ptr %stored12
  %stored13 = getelementptr i32, ptr %out, i32 13
  store volatile i32 %v13, ptr %stored13
  %stored14 = getelementptr i32, ptr %out, i32 14
  store volatile i32 %v14, ptr %stored14
  %stored15 = getelementptr i32, ptr %out, i32 15
  store volatile i32 %v15, ptr %stored15
  %stored16 = getelementptr i32, ptr %out, i32 16
  store volatile i32 %v16, ptr %stored16
  %stored17 = getelementptr i32, ptr %out, i32 17
  store volatile i32 %v17, ptr %stored17
  %stored18 = getelementptr i32, ptr %out, i32 18
  store volatile i32 %v18, ptr %stored18
  %stored19 = getelementptr i32, ptr %out, i32 19
  store volatile i32 %v19, ptr %stored19
  %stored20 = getelementptr i32, ptr %out, i32 20
  store volatile i32 %v20, ptr %stored20
  %stored21 = getelementptr i32, ptr %out, i32 21
  store volatile i32 %v21, ptr %stored21
  %stored22 = getelementptr i32, ptr %out, i32 22
  store volatile i32 %v22, ptr %stored22
  %stored23 = getelementptr i32, ptr %out, i32 23
  store volatile i32 %v23, ptr %stored23
  %stored24 = getelementptr i32, ptr %out, i32 24
  store volatile i32 %v24, ptr %stored24
  %stored25 = getelementptr i32, ptr %out, i32 25
  store volatile i32 %v25, ptr %stored25
  %stored26 = getelementptr i32, ptr %out, i32 26
  store volatile i32 %v26, ptr %stored26
  %stored27 = getelementptr i32, ptr %out, i32 27
  store volatile i32 %v27, ptr %stored27
  ret void
}

declare void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 immarg)
declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 immarg)

attributes #0 = { "nvvm.reqntid"="256" "nvvm.maxnreg"="64" }
