; The loop's bound is as cheap to spill as any of the values summed up. But ptxas knows
; nothing of what a thread reads from its own memory: the branch might part the warp then,
; and the shuffle would have to collect its threads. So others are spilled.
; RUN: %gpu -mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=32 %s -o %t.ptx
; RUN: %FileCheck %s --check-prefix=SPILLED --input-file=%t.ptx
; RUN: grep -B1 setp.lt %t.ptx | %FileCheck %s --check-prefix=KEPT
; RUN: %gpu -mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=32 -warpalloc-disable=steering %s -o - | grep -B1 setp.lt | %FileCheck %s --check-prefix=RELOADED
; SPILLED: st.local
; KEPT-NOT: ld.local
; KEPT: setp.lt
; RELOADED: ld.local
; RELOADED-NEXT: setp.lt

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @sum(ptr addrspace(1) %in, ptr addrspace(1) %bound, ptr addrspace(1) %out) {
entry:
  %n = load i32, ptr addrspace(1) %bound
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p0 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 0
  %v0 = load volatile i32, ptr addrspace(1) %p0
  %p1 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 1
  %v1 = load volatile i32, ptr addrspace(1) %p1
  %p2 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 2
  %v2 = load volatile i32, ptr addrspace(1) %p2
  %p3 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 3
  %v3 = load volatile i32, ptr addrspace(1) %p3
  %p4 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 4
  %v4 = load volatile i32, ptr addrspace(1) %p4
  %p5 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 5
  %v5 = load volatile i32, ptr addrspace(1) %p5
  %p6 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 6
  %v6 = load volatile i32, ptr addrspace(1) %p6
  %p7 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 7
  %v7 = load volatile i32, ptr addrspace(1) %p7
  %p8 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 8
  %v8 = load volatile i32, ptr addrspace(1) %p8
  %p9 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 9
  %v9 = load volatile i32, ptr addrspace(1) %p9
  %p10 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 10
  %v10 = load volatile i32, ptr addrspace(1) %p10
  %p11 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 11
  %v11 = load volatile i32, ptr addrspace(1) %p11
  %p12 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 12
  %v12 = load volatile i32, ptr addrspace(1) %p12
  %p13 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 13
  %v13 = load volatile i32, ptr addrspace(1) %p13
  %p14 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 14
  %v14 = load volatile i32, ptr addrspace(1) %p14
  %p15 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 15
  %v15 = load volatile i32, ptr addrspace(1) %p15
  %p16 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 16
  %v16 = load volatile i32, ptr addrspace(1) %p16
  %p17 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 17
  %v17 = load volatile i32, ptr addrspace(1) %p17
  %p18 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 18
  %v18 = load volatile i32, ptr addrspace(1) %p18
  %p19 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 19
  %v19 = load volatile i32, ptr addrspace(1) %p19
  %p20 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 20
  %v20 = load volatile i32, ptr addrspace(1) %p20
  %p21 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 21
  %v21 = load volatile i32, ptr addrspace(1) %p21
  %p22 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 22
  %v22 = load volatile i32, ptr addrspace(1) %p22
  %p23 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 23
  %v23 = load volatile i32, ptr addrspace(1) %p23
  %p24 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 24
  %v24 = load volatile i32, ptr addrspace(1) %p24
  %p25 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 25
  %v25 = load volatile i32, ptr addrspace(1) %p25
  %p26 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 26
  %v26 = load volatile i32, ptr addrspace(1) %p26
  %p27 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 27
  %v27 = load volatile i32, ptr addrspace(1) %p27
  %p28 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 28
  %v28 = load volatile i32, ptr addrspace(1) %p28
  %p29 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 29
  %v29 = load volatile i32, ptr addrspace(1) %p29
  %p30 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 30
  %v30 = load volatile i32, ptr addrspace(1) %p30
  %p31 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 31
  %v31 = load volatile i32, ptr addrspace(1) %p31
  %p32 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 32
  %v32 = load volatile i32, ptr addrspace(1) %p32
  %p33 = getelementptr [34 x i32], ptr addrspace(1) %in, i32 %tid, i32 33
  %v33 = load volatile i32, ptr addrspace(1) %p33
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %acc = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %a0 = mul i32 %acc, %v0
  %b0 = xor i32 %a0, %v0
  %a1 = mul i32 %b0, %v1
  %b1 = xor i32 %a1, %v1
  %a2 = mul i32 %b1, %v2
  %b2 = xor i32 %a2, %v2
  %a3 = mul i32 %b2, %v3
  %b3 = xor i32 %a3, %v3
  %a4 = mul i32 %b3, %v4
  %b4 = xor i32 %a4, %v4
  %a5 = mul i32 %b4, %v5
  %b5 = xor i32 %a5, %v5
  %a6 = mul i32 %b5, %v6
  %b6 = xor i32 %a6, %v6
  %a7 = mul i32 %b6, %v7
  %b7 = xor i32 %a7, %v7
  %a8 = mul i32 %b7, %v8
  %b8 = xor i32 %a8, %v8
  %a9 = mul i32 %b8, %v9
  %b9 = xor i32 %a9, %v9
  %a10 = mul i32 %b9, %v10
  %b10 = xor i32 %a10, %v10
  %a11 = mul i32 %b10, %v11
  %b11 = xor i32 %a11, %v11
  %a12 = mul i32 %b11, %v12
  %b12 = xor i32 %a12, %v12
  %a13 = mul i32 %b12, %v13
  %b13 = xor i32 %a13, %v13
  %a14 = mul i32 %b13, %v14
  %b14 = xor i32 %a14, %v14
  %a15 = mul i32 %b14, %v15
  %b15 = xor i32 %a15, %v15
  %a16 = mul i32 %b15, %v16
  %b16 = xor i32 %a16, %v16
  %a17 = mul i32 %b16, %v17
  %b17 = xor i32 %a17, %v17
  %a18 = mul i32 %b17, %v18
  %b18 = xor i32 %a18, %v18
  %a19 = mul i32 %b18, %v19
  %b19 = xor i32 %a19, %v19
  %a20 = mul i32 %b19, %v20
  %b20 = xor i32 %a20, %v20
  %a21 = mul i32 %b20, %v21
  %b21 = xor i32 %a21, %v21
  %a22 = mul i32 %b21, %v22
  %b22 = xor i32 %a22, %v22
  %a23 = mul i32 %b22, %v23
  %b23 = xor i32 %a23, %v23
  %a24 = mul i32 %b23, %v24
  %b24 = xor i32 %a24, %v24
  %a25 = mul i32 %b24, %v25
  %b25 = xor i32 %a25, %v25
  %a26 = mul i32 %b25, %v26
  %b26 = xor i32 %a26, %v26
  %a27 = mul i32 %b26, %v27
  %b27 = xor i32 %a27, %v27
  %a28 = mul i32 %b27, %v28
  %b28 = xor i32 %a28, %v28
  %a29 = mul i32 %b28, %v29
  %b29 = xor i32 %a29, %v29
  %a30 = mul i32 %b29, %v30
  %b30 = xor i32 %a30, %v30
  %a31 = mul i32 %b30, %v31
  %b31 = xor i32 %a31, %v31
  %a32 = mul i32 %b31, %v32
  %b32 = xor i32 %a32, %v32
  %a33 = mul i32 %b32, %v33
  %b33 = xor i32 %a33, %v33
  %other = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %b33, i32 1, i32 31)
  %sum = add i32 %b33, %other
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done

done:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %sum, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
