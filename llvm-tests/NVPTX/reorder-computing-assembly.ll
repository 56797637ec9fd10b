; Assembly that only converts a number is marked as a side effect, as libraries mark it. It moves
; to its use all the same, as in ptxas; what reads the clock, or is said to write to memory, stays in
; order.

; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=16 -warpalloc-spills=here -verify-regalloc -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats

; CHECK-LABEL: .entry converts(
; CHECK:         cvt.rn.f32.s32
; CHECK:         ld.shared
; CHECK:         cvt.rn.f32.s32

; CHECK-LABEL: .entry tells_time(
; CHECK-COUNT-24: %clock
; CHECK:         ld.shared
; CHECK-NOT:     %clock

; STATS: function=converts {{.*}}spilled=0
; STATS-NOT: function={{tells_time|clobbers}} {{.*}}spilled=0

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @converts(ptr addrspace(1) noalias %p, ptr addrspace(3) noalias %q, ptr addrspace(1) noalias %r) {
  %a0 = getelementptr i8, ptr addrspace(1) %p, i64 0
  %h0 = load i32, ptr addrspace(1) %a0
  %v0 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h0) #0
  %a1 = getelementptr i8, ptr addrspace(1) %p, i64 64
  %h1 = load i32, ptr addrspace(1) %a1
  %v1 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h1) #0
  %a2 = getelementptr i8, ptr addrspace(1) %p, i64 128
  %h2 = load i32, ptr addrspace(1) %a2
  %v2 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h2) #0
  %a3 = getelementptr i8, ptr addrspace(1) %p, i64 192
  %h3 = load i32, ptr addrspace(1) %a3
  %v3 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h3) #0
  %a4 = getelementptr i8, ptr addrspace(1) %p, i64 256
  %h4 = load i32, ptr addrspace(1) %a4
  %v4 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h4) #0
  %a5 = getelementptr i8, ptr addrspace(1) %p, i64 320
  %h5 = load i32, ptr addrspace(1) %a5
  %v5 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h5) #0
  %a6 = getelementptr i8, ptr addrspace(1) %p, i64 384
  %h6 = load i32, ptr addrspace(1) %a6
  %v6 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h6) #0
  %a7 = getelementptr i8, ptr addrspace(1) %p, i64 448
  %h7 = load i32, ptr addrspace(1) %a7
  %v7 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h7) #0
  %a8 = getelementptr i8, ptr addrspace(1) %p, i64 512
  %h8 = load i32, ptr addrspace(1) %a8
  %v8 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h8) #0
  %a9 = getelementptr i8, ptr addrspace(1) %p, i64 576
  %h9 = load i32, ptr addrspace(1) %a9
  %v9 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h9) #0
  %a10 = getelementptr i8, ptr addrspace(1) %p, i64 640
  %h10 = load i32, ptr addrspace(1) %a10
  %v10 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h10) #0
  %a11 = getelementptr i8, ptr addrspace(1) %p, i64 704
  %h11 = load i32, ptr addrspace(1) %a11
  %v11 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h11) #0
  %a12 = getelementptr i8, ptr addrspace(1) %p, i64 768
  %h12 = load i32, ptr addrspace(1) %a12
  %v12 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h12) #0
  %a13 = getelementptr i8, ptr addrspace(1) %p, i64 832
  %h13 = load i32, ptr addrspace(1) %a13
  %v13 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h13) #0
  %a14 = getelementptr i8, ptr addrspace(1) %p, i64 896
  %h14 = load i32, ptr addrspace(1) %a14
  %v14 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h14) #0
  %a15 = getelementptr i8, ptr addrspace(1) %p, i64 960
  %h15 = load i32, ptr addrspace(1) %a15
  %v15 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h15) #0
  %a16 = getelementptr i8, ptr addrspace(1) %p, i64 1024
  %h16 = load i32, ptr addrspace(1) %a16
  %v16 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h16) #0
  %a17 = getelementptr i8, ptr addrspace(1) %p, i64 1088
  %h17 = load i32, ptr addrspace(1) %a17
  %v17 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h17) #0
  %a18 = getelementptr i8, ptr addrspace(1) %p, i64 1152
  %h18 = load i32, ptr addrspace(1) %a18
  %v18 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h18) #0
  %a19 = getelementptr i8, ptr addrspace(1) %p, i64 1216
  %h19 = load i32, ptr addrspace(1) %a19
  %v19 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h19) #0
  %a20 = getelementptr i8, ptr addrspace(1) %p, i64 1280
  %h20 = load i32, ptr addrspace(1) %a20
  %v20 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h20) #0
  %a21 = getelementptr i8, ptr addrspace(1) %p, i64 1344
  %h21 = load i32, ptr addrspace(1) %a21
  %v21 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h21) #0
  %a22 = getelementptr i8, ptr addrspace(1) %p, i64 1408
  %h22 = load i32, ptr addrspace(1) %a22
  %v22 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h22) #0
  %a23 = getelementptr i8, ptr addrspace(1) %p, i64 1472
  %h23 = load i32, ptr addrspace(1) %a23
  %v23 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %h23) #0
  %b0 = getelementptr i8, ptr addrspace(3) %q, i64 0
  %w0 = load float, ptr addrspace(3) %b0
  %m0 = fmul float %v0, %w0
  %s0 = fadd float %m0, 0.0
  %b1 = getelementptr i8, ptr addrspace(3) %q, i64 64
  %w1 = load float, ptr addrspace(3) %b1
  %m1 = fmul float %v1, %w1
  %s1 = fadd float %m1, %s0
  %b2 = getelementptr i8, ptr addrspace(3) %q, i64 128
  %w2 = load float, ptr addrspace(3) %b2
  %m2 = fmul float %v2, %w2
  %s2 = fadd float %m2, %s1
  %b3 = getelementptr i8, ptr addrspace(3) %q, i64 192
  %w3 = load float, ptr addrspace(3) %b3
  %m3 = fmul float %v3, %w3
  %s3 = fadd float %m3, %s2
  %b4 = getelementptr i8, ptr addrspace(3) %q, i64 256
  %w4 = load float, ptr addrspace(3) %b4
  %m4 = fmul float %v4, %w4
  %s4 = fadd float %m4, %s3
  %b5 = getelementptr i8, ptr addrspace(3) %q, i64 320
  %w5 = load float, ptr addrspace(3) %b5
  %m5 = fmul float %v5, %w5
  %s5 = fadd float %m5, %s4
  %b6 = getelementptr i8, ptr addrspace(3) %q, i64 384
  %w6 = load float, ptr addrspace(3) %b6
  %m6 = fmul float %v6, %w6
  %s6 = fadd float %m6, %s5
  %b7 = getelementptr i8, ptr addrspace(3) %q, i64 448
  %w7 = load float, ptr addrspace(3) %b7
  %m7 = fmul float %v7, %w7
  %s7 = fadd float %m7, %s6
  %b8 = getelementptr i8, ptr addrspace(3) %q, i64 512
  %w8 = load float, ptr addrspace(3) %b8
  %m8 = fmul float %v8, %w8
  %s8 = fadd float %m8, %s7
  %b9 = getelementptr i8, ptr addrspace(3) %q, i64 576
  %w9 = load float, ptr addrspace(3) %b9
  %m9 = fmul float %v9, %w9
  %s9 = fadd float %m9, %s8
  %b10 = getelementptr i8, ptr addrspace(3) %q, i64 640
  %w10 = load float, ptr addrspace(3) %b10
  %m10 = fmul float %v10, %w10
  %s10 = fadd float %m10, %s9
  %b11 = getelementptr i8, ptr addrspace(3) %q, i64 704
  %w11 = load float, ptr addrspace(3) %b11
  %m11 = fmul float %v11, %w11
  %s11 = fadd float %m11, %s10
  %b12 = getelementptr i8, ptr addrspace(3) %q, i64 768
  %w12 = load float, ptr addrspace(3) %b12
  %m12 = fmul float %v12, %w12
  %s12 = fadd float %m12, %s11
  %b13 = getelementptr i8, ptr addrspace(3) %q, i64 832
  %w13 = load float, ptr addrspace(3) %b13
  %m13 = fmul float %v13, %w13
  %s13 = fadd float %m13, %s12
  %b14 = getelementptr i8, ptr addrspace(3) %q, i64 896
  %w14 = load float, ptr addrspace(3) %b14
  %m14 = fmul float %v14, %w14
  %s14 = fadd float %m14, %s13
  %b15 = getelementptr i8, ptr addrspace(3) %q, i64 960
  %w15 = load float, ptr addrspace(3) %b15
  %m15 = fmul float %v15, %w15
  %s15 = fadd float %m15, %s14
  %b16 = getelementptr i8, ptr addrspace(3) %q, i64 1024
  %w16 = load float, ptr addrspace(3) %b16
  %m16 = fmul float %v16, %w16
  %s16 = fadd float %m16, %s15
  %b17 = getelementptr i8, ptr addrspace(3) %q, i64 1088
  %w17 = load float, ptr addrspace(3) %b17
  %m17 = fmul float %v17, %w17
  %s17 = fadd float %m17, %s16
  %b18 = getelementptr i8, ptr addrspace(3) %q, i64 1152
  %w18 = load float, ptr addrspace(3) %b18
  %m18 = fmul float %v18, %w18
  %s18 = fadd float %m18, %s17
  %b19 = getelementptr i8, ptr addrspace(3) %q, i64 1216
  %w19 = load float, ptr addrspace(3) %b19
  %m19 = fmul float %v19, %w19
  %s19 = fadd float %m19, %s18
  %b20 = getelementptr i8, ptr addrspace(3) %q, i64 1280
  %w20 = load float, ptr addrspace(3) %b20
  %m20 = fmul float %v20, %w20
  %s20 = fadd float %m20, %s19
  %b21 = getelementptr i8, ptr addrspace(3) %q, i64 1344
  %w21 = load float, ptr addrspace(3) %b21
  %m21 = fmul float %v21, %w21
  %s21 = fadd float %m21, %s20
  %b22 = getelementptr i8, ptr addrspace(3) %q, i64 1408
  %w22 = load float, ptr addrspace(3) %b22
  %m22 = fmul float %v22, %w22
  %s22 = fadd float %m22, %s21
  %b23 = getelementptr i8, ptr addrspace(3) %q, i64 1472
  %w23 = load float, ptr addrspace(3) %b23
  %m23 = fmul float %v23, %w23
  %s23 = fadd float %m23, %s22
  store float %s23, ptr addrspace(1) %r
  ret void
}

define ptx_kernel void @tells_time(ptr addrspace(1) noalias %p, ptr addrspace(3) noalias %q, ptr addrspace(1) noalias %r) {
  %a0 = getelementptr i8, ptr addrspace(1) %p, i64 0
  %h0 = load i32, ptr addrspace(1) %a0
  %v0 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h0) #0
  %a1 = getelementptr i8, ptr addrspace(1) %p, i64 64
  %h1 = load i32, ptr addrspace(1) %a1
  %v1 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h1) #0
  %a2 = getelementptr i8, ptr addrspace(1) %p, i64 128
  %h2 = load i32, ptr addrspace(1) %a2
  %v2 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h2) #0
  %a3 = getelementptr i8, ptr addrspace(1) %p, i64 192
  %h3 = load i32, ptr addrspace(1) %a3
  %v3 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h3) #0
  %a4 = getelementptr i8, ptr addrspace(1) %p, i64 256
  %h4 = load i32, ptr addrspace(1) %a4
  %v4 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h4) #0
  %a5 = getelementptr i8, ptr addrspace(1) %p, i64 320
  %h5 = load i32, ptr addrspace(1) %a5
  %v5 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h5) #0
  %a6 = getelementptr i8, ptr addrspace(1) %p, i64 384
  %h6 = load i32, ptr addrspace(1) %a6
  %v6 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h6) #0
  %a7 = getelementptr i8, ptr addrspace(1) %p, i64 448
  %h7 = load i32, ptr addrspace(1) %a7
  %v7 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h7) #0
  %a8 = getelementptr i8, ptr addrspace(1) %p, i64 512
  %h8 = load i32, ptr addrspace(1) %a8
  %v8 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h8) #0
  %a9 = getelementptr i8, ptr addrspace(1) %p, i64 576
  %h9 = load i32, ptr addrspace(1) %a9
  %v9 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h9) #0
  %a10 = getelementptr i8, ptr addrspace(1) %p, i64 640
  %h10 = load i32, ptr addrspace(1) %a10
  %v10 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h10) #0
  %a11 = getelementptr i8, ptr addrspace(1) %p, i64 704
  %h11 = load i32, ptr addrspace(1) %a11
  %v11 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h11) #0
  %a12 = getelementptr i8, ptr addrspace(1) %p, i64 768
  %h12 = load i32, ptr addrspace(1) %a12
  %v12 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h12) #0
  %a13 = getelementptr i8, ptr addrspace(1) %p, i64 832
  %h13 = load i32, ptr addrspace(1) %a13
  %v13 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h13) #0
  %a14 = getelementptr i8, ptr addrspace(1) %p, i64 896
  %h14 = load i32, ptr addrspace(1) %a14
  %v14 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h14) #0
  %a15 = getelementptr i8, ptr addrspace(1) %p, i64 960
  %h15 = load i32, ptr addrspace(1) %a15
  %v15 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h15) #0
  %a16 = getelementptr i8, ptr addrspace(1) %p, i64 1024
  %h16 = load i32, ptr addrspace(1) %a16
  %v16 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h16) #0
  %a17 = getelementptr i8, ptr addrspace(1) %p, i64 1088
  %h17 = load i32, ptr addrspace(1) %a17
  %v17 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h17) #0
  %a18 = getelementptr i8, ptr addrspace(1) %p, i64 1152
  %h18 = load i32, ptr addrspace(1) %a18
  %v18 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h18) #0
  %a19 = getelementptr i8, ptr addrspace(1) %p, i64 1216
  %h19 = load i32, ptr addrspace(1) %a19
  %v19 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h19) #0
  %a20 = getelementptr i8, ptr addrspace(1) %p, i64 1280
  %h20 = load i32, ptr addrspace(1) %a20
  %v20 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h20) #0
  %a21 = getelementptr i8, ptr addrspace(1) %p, i64 1344
  %h21 = load i32, ptr addrspace(1) %a21
  %v21 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h21) #0
  %a22 = getelementptr i8, ptr addrspace(1) %p, i64 1408
  %h22 = load i32, ptr addrspace(1) %a22
  %v22 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h22) #0
  %a23 = getelementptr i8, ptr addrspace(1) %p, i64 1472
  %h23 = load i32, ptr addrspace(1) %a23
  %v23 = call float asm sideeffect "{.reg .u32 t; mov.u32 t, %clock; add.u32 t, t, $1; mov.b32 $0, t;}", "=f,r"(i32 %h23) #0
  %b0 = getelementptr i8, ptr addrspace(3) %q, i64 0
  %w0 = load float, ptr addrspace(3) %b0
  %m0 = fmul float %v0, %w0
  %s0 = fadd float %m0, 0.0
  %b1 = getelementptr i8, ptr addrspace(3) %q, i64 64
  %w1 = load float, ptr addrspace(3) %b1
  %m1 = fmul float %v1, %w1
  %s1 = fadd float %m1, %s0
  %b2 = getelementptr i8, ptr addrspace(3) %q, i64 128
  %w2 = load float, ptr addrspace(3) %b2
  %m2 = fmul float %v2, %w2
  %s2 = fadd float %m2, %s1
  %b3 = getelementptr i8, ptr addrspace(3) %q, i64 192
  %w3 = load float, ptr addrspace(3) %b3
  %m3 = fmul float %v3, %w3
  %s3 = fadd float %m3, %s2
  %b4 = getelementptr i8, ptr addrspace(3) %q, i64 256
  %w4 = load float, ptr addrspace(3) %b4
  %m4 = fmul float %v4, %w4
  %s4 = fadd float %m4, %s3
  %b5 = getelementptr i8, ptr addrspace(3) %q, i64 320
  %w5 = load float, ptr addrspace(3) %b5
  %m5 = fmul float %v5, %w5
  %s5 = fadd float %m5, %s4
  %b6 = getelementptr i8, ptr addrspace(3) %q, i64 384
  %w6 = load float, ptr addrspace(3) %b6
  %m6 = fmul float %v6, %w6
  %s6 = fadd float %m6, %s5
  %b7 = getelementptr i8, ptr addrspace(3) %q, i64 448
  %w7 = load float, ptr addrspace(3) %b7
  %m7 = fmul float %v7, %w7
  %s7 = fadd float %m7, %s6
  %b8 = getelementptr i8, ptr addrspace(3) %q, i64 512
  %w8 = load float, ptr addrspace(3) %b8
  %m8 = fmul float %v8, %w8
  %s8 = fadd float %m8, %s7
  %b9 = getelementptr i8, ptr addrspace(3) %q, i64 576
  %w9 = load float, ptr addrspace(3) %b9
  %m9 = fmul float %v9, %w9
  %s9 = fadd float %m9, %s8
  %b10 = getelementptr i8, ptr addrspace(3) %q, i64 640
  %w10 = load float, ptr addrspace(3) %b10
  %m10 = fmul float %v10, %w10
  %s10 = fadd float %m10, %s9
  %b11 = getelementptr i8, ptr addrspace(3) %q, i64 704
  %w11 = load float, ptr addrspace(3) %b11
  %m11 = fmul float %v11, %w11
  %s11 = fadd float %m11, %s10
  %b12 = getelementptr i8, ptr addrspace(3) %q, i64 768
  %w12 = load float, ptr addrspace(3) %b12
  %m12 = fmul float %v12, %w12
  %s12 = fadd float %m12, %s11
  %b13 = getelementptr i8, ptr addrspace(3) %q, i64 832
  %w13 = load float, ptr addrspace(3) %b13
  %m13 = fmul float %v13, %w13
  %s13 = fadd float %m13, %s12
  %b14 = getelementptr i8, ptr addrspace(3) %q, i64 896
  %w14 = load float, ptr addrspace(3) %b14
  %m14 = fmul float %v14, %w14
  %s14 = fadd float %m14, %s13
  %b15 = getelementptr i8, ptr addrspace(3) %q, i64 960
  %w15 = load float, ptr addrspace(3) %b15
  %m15 = fmul float %v15, %w15
  %s15 = fadd float %m15, %s14
  %b16 = getelementptr i8, ptr addrspace(3) %q, i64 1024
  %w16 = load float, ptr addrspace(3) %b16
  %m16 = fmul float %v16, %w16
  %s16 = fadd float %m16, %s15
  %b17 = getelementptr i8, ptr addrspace(3) %q, i64 1088
  %w17 = load float, ptr addrspace(3) %b17
  %m17 = fmul float %v17, %w17
  %s17 = fadd float %m17, %s16
  %b18 = getelementptr i8, ptr addrspace(3) %q, i64 1152
  %w18 = load float, ptr addrspace(3) %b18
  %m18 = fmul float %v18, %w18
  %s18 = fadd float %m18, %s17
  %b19 = getelementptr i8, ptr addrspace(3) %q, i64 1216
  %w19 = load float, ptr addrspace(3) %b19
  %m19 = fmul float %v19, %w19
  %s19 = fadd float %m19, %s18
  %b20 = getelementptr i8, ptr addrspace(3) %q, i64 1280
  %w20 = load float, ptr addrspace(3) %b20
  %m20 = fmul float %v20, %w20
  %s20 = fadd float %m20, %s19
  %b21 = getelementptr i8, ptr addrspace(3) %q, i64 1344
  %w21 = load float, ptr addrspace(3) %b21
  %m21 = fmul float %v21, %w21
  %s21 = fadd float %m21, %s20
  %b22 = getelementptr i8, ptr addrspace(3) %q, i64 1408
  %w22 = load float, ptr addrspace(3) %b22
  %m22 = fmul float %v22, %w22
  %s22 = fadd float %m22, %s21
  %b23 = getelementptr i8, ptr addrspace(3) %q, i64 1472
  %w23 = load float, ptr addrspace(3) %b23
  %m23 = fmul float %v23, %w23
  %s23 = fadd float %m23, %s22
  store float %s23, ptr addrspace(1) %r
  ret void
}

define ptx_kernel void @clobbers(ptr addrspace(1) noalias %p, ptr addrspace(3) noalias %q, ptr addrspace(1) noalias %r) {
  %a0 = getelementptr i8, ptr addrspace(1) %p, i64 0
  %h0 = load i32, ptr addrspace(1) %a0
  %v0 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h0) #0
  %a1 = getelementptr i8, ptr addrspace(1) %p, i64 64
  %h1 = load i32, ptr addrspace(1) %a1
  %v1 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h1) #0
  %a2 = getelementptr i8, ptr addrspace(1) %p, i64 128
  %h2 = load i32, ptr addrspace(1) %a2
  %v2 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h2) #0
  %a3 = getelementptr i8, ptr addrspace(1) %p, i64 192
  %h3 = load i32, ptr addrspace(1) %a3
  %v3 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h3) #0
  %a4 = getelementptr i8, ptr addrspace(1) %p, i64 256
  %h4 = load i32, ptr addrspace(1) %a4
  %v4 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h4) #0
  %a5 = getelementptr i8, ptr addrspace(1) %p, i64 320
  %h5 = load i32, ptr addrspace(1) %a5
  %v5 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h5) #0
  %a6 = getelementptr i8, ptr addrspace(1) %p, i64 384
  %h6 = load i32, ptr addrspace(1) %a6
  %v6 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h6) #0
  %a7 = getelementptr i8, ptr addrspace(1) %p, i64 448
  %h7 = load i32, ptr addrspace(1) %a7
  %v7 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h7) #0
  %a8 = getelementptr i8, ptr addrspace(1) %p, i64 512
  %h8 = load i32, ptr addrspace(1) %a8
  %v8 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h8) #0
  %a9 = getelementptr i8, ptr addrspace(1) %p, i64 576
  %h9 = load i32, ptr addrspace(1) %a9
  %v9 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h9) #0
  %a10 = getelementptr i8, ptr addrspace(1) %p, i64 640
  %h10 = load i32, ptr addrspace(1) %a10
  %v10 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h10) #0
  %a11 = getelementptr i8, ptr addrspace(1) %p, i64 704
  %h11 = load i32, ptr addrspace(1) %a11
  %v11 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h11) #0
  %a12 = getelementptr i8, ptr addrspace(1) %p, i64 768
  %h12 = load i32, ptr addrspace(1) %a12
  %v12 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h12) #0
  %a13 = getelementptr i8, ptr addrspace(1) %p, i64 832
  %h13 = load i32, ptr addrspace(1) %a13
  %v13 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h13) #0
  %a14 = getelementptr i8, ptr addrspace(1) %p, i64 896
  %h14 = load i32, ptr addrspace(1) %a14
  %v14 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h14) #0
  %a15 = getelementptr i8, ptr addrspace(1) %p, i64 960
  %h15 = load i32, ptr addrspace(1) %a15
  %v15 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h15) #0
  %a16 = getelementptr i8, ptr addrspace(1) %p, i64 1024
  %h16 = load i32, ptr addrspace(1) %a16
  %v16 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h16) #0
  %a17 = getelementptr i8, ptr addrspace(1) %p, i64 1088
  %h17 = load i32, ptr addrspace(1) %a17
  %v17 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h17) #0
  %a18 = getelementptr i8, ptr addrspace(1) %p, i64 1152
  %h18 = load i32, ptr addrspace(1) %a18
  %v18 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h18) #0
  %a19 = getelementptr i8, ptr addrspace(1) %p, i64 1216
  %h19 = load i32, ptr addrspace(1) %a19
  %v19 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h19) #0
  %a20 = getelementptr i8, ptr addrspace(1) %p, i64 1280
  %h20 = load i32, ptr addrspace(1) %a20
  %v20 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h20) #0
  %a21 = getelementptr i8, ptr addrspace(1) %p, i64 1344
  %h21 = load i32, ptr addrspace(1) %a21
  %v21 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h21) #0
  %a22 = getelementptr i8, ptr addrspace(1) %p, i64 1408
  %h22 = load i32, ptr addrspace(1) %a22
  %v22 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h22) #0
  %a23 = getelementptr i8, ptr addrspace(1) %p, i64 1472
  %h23 = load i32, ptr addrspace(1) %a23
  %v23 = call float asm sideeffect "cvt.rn.f32.s32 $0, $1;", "=f,r,~{memory}"(i32 %h23) #0
  %b0 = getelementptr i8, ptr addrspace(3) %q, i64 0
  %w0 = load float, ptr addrspace(3) %b0
  %m0 = fmul float %v0, %w0
  %s0 = fadd float %m0, 0.0
  %b1 = getelementptr i8, ptr addrspace(3) %q, i64 64
  %w1 = load float, ptr addrspace(3) %b1
  %m1 = fmul float %v1, %w1
  %s1 = fadd float %m1, %s0
  %b2 = getelementptr i8, ptr addrspace(3) %q, i64 128
  %w2 = load float, ptr addrspace(3) %b2
  %m2 = fmul float %v2, %w2
  %s2 = fadd float %m2, %s1
  %b3 = getelementptr i8, ptr addrspace(3) %q, i64 192
  %w3 = load float, ptr addrspace(3) %b3
  %m3 = fmul float %v3, %w3
  %s3 = fadd float %m3, %s2
  %b4 = getelementptr i8, ptr addrspace(3) %q, i64 256
  %w4 = load float, ptr addrspace(3) %b4
  %m4 = fmul float %v4, %w4
  %s4 = fadd float %m4, %s3
  %b5 = getelementptr i8, ptr addrspace(3) %q, i64 320
  %w5 = load float, ptr addrspace(3) %b5
  %m5 = fmul float %v5, %w5
  %s5 = fadd float %m5, %s4
  %b6 = getelementptr i8, ptr addrspace(3) %q, i64 384
  %w6 = load float, ptr addrspace(3) %b6
  %m6 = fmul float %v6, %w6
  %s6 = fadd float %m6, %s5
  %b7 = getelementptr i8, ptr addrspace(3) %q, i64 448
  %w7 = load float, ptr addrspace(3) %b7
  %m7 = fmul float %v7, %w7
  %s7 = fadd float %m7, %s6
  %b8 = getelementptr i8, ptr addrspace(3) %q, i64 512
  %w8 = load float, ptr addrspace(3) %b8
  %m8 = fmul float %v8, %w8
  %s8 = fadd float %m8, %s7
  %b9 = getelementptr i8, ptr addrspace(3) %q, i64 576
  %w9 = load float, ptr addrspace(3) %b9
  %m9 = fmul float %v9, %w9
  %s9 = fadd float %m9, %s8
  %b10 = getelementptr i8, ptr addrspace(3) %q, i64 640
  %w10 = load float, ptr addrspace(3) %b10
  %m10 = fmul float %v10, %w10
  %s10 = fadd float %m10, %s9
  %b11 = getelementptr i8, ptr addrspace(3) %q, i64 704
  %w11 = load float, ptr addrspace(3) %b11
  %m11 = fmul float %v11, %w11
  %s11 = fadd float %m11, %s10
  %b12 = getelementptr i8, ptr addrspace(3) %q, i64 768
  %w12 = load float, ptr addrspace(3) %b12
  %m12 = fmul float %v12, %w12
  %s12 = fadd float %m12, %s11
  %b13 = getelementptr i8, ptr addrspace(3) %q, i64 832
  %w13 = load float, ptr addrspace(3) %b13
  %m13 = fmul float %v13, %w13
  %s13 = fadd float %m13, %s12
  %b14 = getelementptr i8, ptr addrspace(3) %q, i64 896
  %w14 = load float, ptr addrspace(3) %b14
  %m14 = fmul float %v14, %w14
  %s14 = fadd float %m14, %s13
  %b15 = getelementptr i8, ptr addrspace(3) %q, i64 960
  %w15 = load float, ptr addrspace(3) %b15
  %m15 = fmul float %v15, %w15
  %s15 = fadd float %m15, %s14
  %b16 = getelementptr i8, ptr addrspace(3) %q, i64 1024
  %w16 = load float, ptr addrspace(3) %b16
  %m16 = fmul float %v16, %w16
  %s16 = fadd float %m16, %s15
  %b17 = getelementptr i8, ptr addrspace(3) %q, i64 1088
  %w17 = load float, ptr addrspace(3) %b17
  %m17 = fmul float %v17, %w17
  %s17 = fadd float %m17, %s16
  %b18 = getelementptr i8, ptr addrspace(3) %q, i64 1152
  %w18 = load float, ptr addrspace(3) %b18
  %m18 = fmul float %v18, %w18
  %s18 = fadd float %m18, %s17
  %b19 = getelementptr i8, ptr addrspace(3) %q, i64 1216
  %w19 = load float, ptr addrspace(3) %b19
  %m19 = fmul float %v19, %w19
  %s19 = fadd float %m19, %s18
  %b20 = getelementptr i8, ptr addrspace(3) %q, i64 1280
  %w20 = load float, ptr addrspace(3) %b20
  %m20 = fmul float %v20, %w20
  %s20 = fadd float %m20, %s19
  %b21 = getelementptr i8, ptr addrspace(3) %q, i64 1344
  %w21 = load float, ptr addrspace(3) %b21
  %m21 = fmul float %v21, %w21
  %s21 = fadd float %m21, %s20
  %b22 = getelementptr i8, ptr addrspace(3) %q, i64 1408
  %w22 = load float, ptr addrspace(3) %b22
  %m22 = fmul float %v22, %w22
  %s22 = fadd float %m22, %s21
  %b23 = getelementptr i8, ptr addrspace(3) %q, i64 1472
  %w23 = load float, ptr addrspace(3) %b23
  %m23 = fmul float %v23, %w23
  %s23 = fadd float %m23, %s22
  store float %s23, ptr addrspace(1) %r
  ret void
}

attributes #0 = { convergent nounwind }
