; Where a warp stays together, its shuffles are mixed as registers ask for it, as ptxas
; does; where its threads may have parted, they stay in order.

; RUN: %gpu -mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=24 -warpalloc-spills=here -verify-regalloc %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx

; CHECK-LABEL: .entry together(
; CHECK: shfl.sync.bfly.b32 {{.*}}, 1, 31, -1;
; CHECK: shfl.sync.bfly.b32 {{.*}}, 2, 31, -1;
; CHECK: shfl.sync.bfly.b32 {{.*}}, 1, 31, -1;

; CHECK-LABEL: .entry parted(
; CHECK-COUNT-12: shfl.sync.bfly.b32 {{.*}}, 1, 31, -1;
; CHECK-COUNT-12: shfl.sync.bfly.b32 {{.*}}, 2, 31, -1;
; CHECK-NOT: shfl

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)

define ptx_kernel void @together(ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = icmp slt i32 %t, %n
  %p0 = getelementptr float, ptr addrspace(1) %in, i32 0
  %l0 = load volatile float, ptr addrspace(1) %p0
  %p1 = getelementptr float, ptr addrspace(1) %in, i32 64
  %l1 = load volatile float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %in, i32 128
  %l2 = load volatile float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %in, i32 192
  %l3 = load volatile float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %in, i32 256
  %l4 = load volatile float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %in, i32 320
  %l5 = load volatile float, ptr addrspace(1) %p5
  %p6 = getelementptr float, ptr addrspace(1) %in, i32 384
  %l6 = load volatile float, ptr addrspace(1) %p6
  %p7 = getelementptr float, ptr addrspace(1) %in, i32 448
  %l7 = load volatile float, ptr addrspace(1) %p7
  %p8 = getelementptr float, ptr addrspace(1) %in, i32 512
  %l8 = load volatile float, ptr addrspace(1) %p8
  %p9 = getelementptr float, ptr addrspace(1) %in, i32 576
  %l9 = load volatile float, ptr addrspace(1) %p9
  %p10 = getelementptr float, ptr addrspace(1) %in, i32 640
  %l10 = load volatile float, ptr addrspace(1) %p10
  %p11 = getelementptr float, ptr addrspace(1) %in, i32 704
  %l11 = load volatile float, ptr addrspace(1) %p11
  br i1 %c, label %exchange, label %join
exchange:
  %s1.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l0, i32 1, i32 31)
  %s1.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l1, i32 1, i32 31)
  %s1.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l2, i32 1, i32 31)
  %s1.3 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l3, i32 1, i32 31)
  %s1.4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l4, i32 1, i32 31)
  %s1.5 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l5, i32 1, i32 31)
  %s1.6 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l6, i32 1, i32 31)
  %s1.7 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l7, i32 1, i32 31)
  %s1.8 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l8, i32 1, i32 31)
  %s1.9 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l9, i32 1, i32 31)
  %s1.10 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l10, i32 1, i32 31)
  %s1.11 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l11, i32 1, i32 31)
  %a1.0 = fadd float %l0, %s1.0
  %a1.1 = fadd float %l1, %s1.1
  %a1.2 = fadd float %l2, %s1.2
  %a1.3 = fadd float %l3, %s1.3
  %a1.4 = fadd float %l4, %s1.4
  %a1.5 = fadd float %l5, %s1.5
  %a1.6 = fadd float %l6, %s1.6
  %a1.7 = fadd float %l7, %s1.7
  %a1.8 = fadd float %l8, %s1.8
  %a1.9 = fadd float %l9, %s1.9
  %a1.10 = fadd float %l10, %s1.10
  %a1.11 = fadd float %l11, %s1.11
  %s2.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.0, i32 2, i32 31)
  %s2.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.1, i32 2, i32 31)
  %s2.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.2, i32 2, i32 31)
  %s2.3 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.3, i32 2, i32 31)
  %s2.4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.4, i32 2, i32 31)
  %s2.5 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.5, i32 2, i32 31)
  %s2.6 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.6, i32 2, i32 31)
  %s2.7 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.7, i32 2, i32 31)
  %s2.8 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.8, i32 2, i32 31)
  %s2.9 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.9, i32 2, i32 31)
  %s2.10 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.10, i32 2, i32 31)
  %s2.11 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.11, i32 2, i32 31)
  %a2.0 = fadd float %a1.0, %s2.0
  %a2.1 = fadd float %a1.1, %s2.1
  %a2.2 = fadd float %a1.2, %s2.2
  %a2.3 = fadd float %a1.3, %s2.3
  %a2.4 = fadd float %a1.4, %s2.4
  %a2.5 = fadd float %a1.5, %s2.5
  %a2.6 = fadd float %a1.6, %s2.6
  %a2.7 = fadd float %a1.7, %s2.7
  %a2.8 = fadd float %a1.8, %s2.8
  %a2.9 = fadd float %a1.9, %s2.9
  %a2.10 = fadd float %a1.10, %s2.10
  %a2.11 = fadd float %a1.11, %s2.11
  br label %join
join:
  %r0 = phi float [ %l0, %entry ], [ %a2.0, %exchange ]
  %r1 = phi float [ %l1, %entry ], [ %a2.1, %exchange ]
  %r2 = phi float [ %l2, %entry ], [ %a2.2, %exchange ]
  %r3 = phi float [ %l3, %entry ], [ %a2.3, %exchange ]
  %r4 = phi float [ %l4, %entry ], [ %a2.4, %exchange ]
  %r5 = phi float [ %l5, %entry ], [ %a2.5, %exchange ]
  %r6 = phi float [ %l6, %entry ], [ %a2.6, %exchange ]
  %r7 = phi float [ %l7, %entry ], [ %a2.7, %exchange ]
  %r8 = phi float [ %l8, %entry ], [ %a2.8, %exchange ]
  %r9 = phi float [ %l9, %entry ], [ %a2.9, %exchange ]
  %r10 = phi float [ %l10, %entry ], [ %a2.10, %exchange ]
  %r11 = phi float [ %l11, %entry ], [ %a2.11, %exchange ]
  store volatile float %r0, ptr addrspace(1) %p0
  store volatile float %r1, ptr addrspace(1) %p1
  store volatile float %r2, ptr addrspace(1) %p2
  store volatile float %r3, ptr addrspace(1) %p3
  store volatile float %r4, ptr addrspace(1) %p4
  store volatile float %r5, ptr addrspace(1) %p5
  store volatile float %r6, ptr addrspace(1) %p6
  store volatile float %r7, ptr addrspace(1) %p7
  store volatile float %r8, ptr addrspace(1) %p8
  store volatile float %r9, ptr addrspace(1) %p9
  store volatile float %r10, ptr addrspace(1) %p10
  store volatile float %r11, ptr addrspace(1) %p11
  ret void
}

define ptx_kernel void @parted(ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, %n
  %p0 = getelementptr float, ptr addrspace(1) %in, i32 0
  %l0 = load volatile float, ptr addrspace(1) %p0
  %p1 = getelementptr float, ptr addrspace(1) %in, i32 64
  %l1 = load volatile float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %in, i32 128
  %l2 = load volatile float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %in, i32 192
  %l3 = load volatile float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %in, i32 256
  %l4 = load volatile float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %in, i32 320
  %l5 = load volatile float, ptr addrspace(1) %p5
  %p6 = getelementptr float, ptr addrspace(1) %in, i32 384
  %l6 = load volatile float, ptr addrspace(1) %p6
  %p7 = getelementptr float, ptr addrspace(1) %in, i32 448
  %l7 = load volatile float, ptr addrspace(1) %p7
  %p8 = getelementptr float, ptr addrspace(1) %in, i32 512
  %l8 = load volatile float, ptr addrspace(1) %p8
  %p9 = getelementptr float, ptr addrspace(1) %in, i32 576
  %l9 = load volatile float, ptr addrspace(1) %p9
  %p10 = getelementptr float, ptr addrspace(1) %in, i32 640
  %l10 = load volatile float, ptr addrspace(1) %p10
  %p11 = getelementptr float, ptr addrspace(1) %in, i32 704
  %l11 = load volatile float, ptr addrspace(1) %p11
  br i1 %c, label %exchange, label %join
exchange:
  %s1.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l0, i32 1, i32 31)
  %s1.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l1, i32 1, i32 31)
  %s1.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l2, i32 1, i32 31)
  %s1.3 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l3, i32 1, i32 31)
  %s1.4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l4, i32 1, i32 31)
  %s1.5 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l5, i32 1, i32 31)
  %s1.6 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l6, i32 1, i32 31)
  %s1.7 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l7, i32 1, i32 31)
  %s1.8 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l8, i32 1, i32 31)
  %s1.9 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l9, i32 1, i32 31)
  %s1.10 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l10, i32 1, i32 31)
  %s1.11 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %l11, i32 1, i32 31)
  %a1.0 = fadd float %l0, %s1.0
  %a1.1 = fadd float %l1, %s1.1
  %a1.2 = fadd float %l2, %s1.2
  %a1.3 = fadd float %l3, %s1.3
  %a1.4 = fadd float %l4, %s1.4
  %a1.5 = fadd float %l5, %s1.5
  %a1.6 = fadd float %l6, %s1.6
  %a1.7 = fadd float %l7, %s1.7
  %a1.8 = fadd float %l8, %s1.8
  %a1.9 = fadd float %l9, %s1.9
  %a1.10 = fadd float %l10, %s1.10
  %a1.11 = fadd float %l11, %s1.11
  %s2.0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.0, i32 2, i32 31)
  %s2.1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.1, i32 2, i32 31)
  %s2.2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.2, i32 2, i32 31)
  %s2.3 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.3, i32 2, i32 31)
  %s2.4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.4, i32 2, i32 31)
  %s2.5 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.5, i32 2, i32 31)
  %s2.6 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.6, i32 2, i32 31)
  %s2.7 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.7, i32 2, i32 31)
  %s2.8 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.8, i32 2, i32 31)
  %s2.9 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.9, i32 2, i32 31)
  %s2.10 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.10, i32 2, i32 31)
  %s2.11 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a1.11, i32 2, i32 31)
  %a2.0 = fadd float %a1.0, %s2.0
  %a2.1 = fadd float %a1.1, %s2.1
  %a2.2 = fadd float %a1.2, %s2.2
  %a2.3 = fadd float %a1.3, %s2.3
  %a2.4 = fadd float %a1.4, %s2.4
  %a2.5 = fadd float %a1.5, %s2.5
  %a2.6 = fadd float %a1.6, %s2.6
  %a2.7 = fadd float %a1.7, %s2.7
  %a2.8 = fadd float %a1.8, %s2.8
  %a2.9 = fadd float %a1.9, %s2.9
  %a2.10 = fadd float %a1.10, %s2.10
  %a2.11 = fadd float %a1.11, %s2.11
  br label %join
join:
  %r0 = phi float [ %l0, %entry ], [ %a2.0, %exchange ]
  %r1 = phi float [ %l1, %entry ], [ %a2.1, %exchange ]
  %r2 = phi float [ %l2, %entry ], [ %a2.2, %exchange ]
  %r3 = phi float [ %l3, %entry ], [ %a2.3, %exchange ]
  %r4 = phi float [ %l4, %entry ], [ %a2.4, %exchange ]
  %r5 = phi float [ %l5, %entry ], [ %a2.5, %exchange ]
  %r6 = phi float [ %l6, %entry ], [ %a2.6, %exchange ]
  %r7 = phi float [ %l7, %entry ], [ %a2.7, %exchange ]
  %r8 = phi float [ %l8, %entry ], [ %a2.8, %exchange ]
  %r9 = phi float [ %l9, %entry ], [ %a2.9, %exchange ]
  %r10 = phi float [ %l10, %entry ], [ %a2.10, %exchange ]
  %r11 = phi float [ %l11, %entry ], [ %a2.11, %exchange ]
  store volatile float %r0, ptr addrspace(1) %p0
  store volatile float %r1, ptr addrspace(1) %p1
  store volatile float %r2, ptr addrspace(1) %p2
  store volatile float %r3, ptr addrspace(1) %p3
  store volatile float %r4, ptr addrspace(1) %p4
  store volatile float %r5, ptr addrspace(1) %p5
  store volatile float %r6, ptr addrspace(1) %p6
  store volatile float %r7, ptr addrspace(1) %p7
  store volatile float %r8, ptr addrspace(1) %p8
  store volatile float %r9, ptr addrspace(1) %p9
  store volatile float %r10, ptr addrspace(1) %p10
  store volatile float %r11, ptr addrspace(1) %p11
  ret void
}
