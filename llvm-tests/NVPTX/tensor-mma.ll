; ldmatrix and mma.sync through LLVM's intrinsics. What stands in braces lies side by
; side, the first register aligned, in both selects; without placement it does not.
; DEFINE: %{flags} =
; DEFINE: %{try} = %gpu -warpalloc-enable=tuples -mcpu=sm_80 -print-regalloc-stats %{flags} %s -o %t.ptx 2>%t.stats && \
; DEFINE:   %FileCheck %s --check-prefix=PTX <%t.ptx && \
; DEFINE:   %FileCheck %s --check-prefix=NONE <%t.stats
; RUN: %{try}
; RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}
; REDEFINE: %{flags} = -warpalloc-select=fatpoint
; RUN: %{try}
; REDEFINE: %{flags} = -warpalloc-profile=ptxas
; RUN: %{try}
; REDEFINE: %{flags} = -warpalloc-profile=cicc
; RUN: %{try}
; RUN: %gpu -mcpu=sm_80 -print-regalloc-stats %s -o /dev/null 2>&1 | \
; RUN:   %FileCheck %s --check-prefix=SOME

; NONE: function=mma_intrinsics {{.*}}spilled=0 {{.*}} tuple_moves=0
; SOME: function=mma_intrinsics {{.*}}spilled=0 {{.*}} tuple_moves={{[1-9]}}

; R0 is called %r1.
; The sum that is added to is the result's tuple.
; PTX-LABEL: .visible .entry mma_intrinsics(
; PTX: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
; PTX-NEXT: {%r[[#C:]], {{.*}}},
; PTX-NEXT: {%r{{[0-9]+}}, {{.*}}},
; PTX-NEXT: {%r{{[0-9]+}}, %r{{[0-9]+}}},
; PTX-NEXT: {%r[[#C]], %r[[#C+1]], %r[[#C+2]], %r[[#C+3]]};

target triple = "nvptx64-nvidia-cuda"

declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float)

; A warp multiplies 32 x 16 by 16 x 16 halves, again and again, and adds up.
define ptx_kernel void @mma_intrinsics(ptr addrspace(3) %a, ptr addrspace(3) %b, ptr addrspace(1) %c, i32 %steps) {
entry:
  br label %loop

loop:
  %step = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c00 = phi float [ 0.0, %entry ], [ %d00, %loop ]
  %c01 = phi float [ 0.0, %entry ], [ %d01, %loop ]
  %c02 = phi float [ 0.0, %entry ], [ %d02, %loop ]
  %c03 = phi float [ 0.0, %entry ], [ %d03, %loop ]
  %c10 = phi float [ 0.0, %entry ], [ %d10, %loop ]
  %c11 = phi float [ 0.0, %entry ], [ %d11, %loop ]
  %c12 = phi float [ 0.0, %entry ], [ %d12, %loop ]
  %c13 = phi float [ 0.0, %entry ], [ %d13, %loop ]
  %c20 = phi float [ 0.0, %entry ], [ %d20, %loop ]
  %c21 = phi float [ 0.0, %entry ], [ %d21, %loop ]
  %c22 = phi float [ 0.0, %entry ], [ %d22, %loop ]
  %c23 = phi float [ 0.0, %entry ], [ %d23, %loop ]
  %c30 = phi float [ 0.0, %entry ], [ %d30, %loop ]
  %c31 = phi float [ 0.0, %entry ], [ %d31, %loop ]
  %c32 = phi float [ 0.0, %entry ], [ %d32, %loop ]
  %c33 = phi float [ 0.0, %entry ], [ %d33, %loop ]
  %at = shl i32 %step, 9
  %ai0 = add i32 %at, 0
  %ap0 = getelementptr i8, ptr addrspace(3) %a, i32 %ai0
  %av0 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %ap0)
  %ar00 = extractvalue { i32, i32, i32, i32 } %av0, 0
  %a00 = bitcast i32 %ar00 to <2 x half>
  %ar01 = extractvalue { i32, i32, i32, i32 } %av0, 1
  %a01 = bitcast i32 %ar01 to <2 x half>
  %ar02 = extractvalue { i32, i32, i32, i32 } %av0, 2
  %a02 = bitcast i32 %ar02 to <2 x half>
  %ar03 = extractvalue { i32, i32, i32, i32 } %av0, 3
  %a03 = bitcast i32 %ar03 to <2 x half>
  %ai1 = add i32 %at, 4096
  %ap1 = getelementptr i8, ptr addrspace(3) %a, i32 %ai1
  %av1 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %ap1)
  %ar10 = extractvalue { i32, i32, i32, i32 } %av1, 0
  %a10 = bitcast i32 %ar10 to <2 x half>
  %ar11 = extractvalue { i32, i32, i32, i32 } %av1, 1
  %a11 = bitcast i32 %ar11 to <2 x half>
  %ar12 = extractvalue { i32, i32, i32, i32 } %av1, 2
  %a12 = bitcast i32 %ar12 to <2 x half>
  %ar13 = extractvalue { i32, i32, i32, i32 } %av1, 3
  %a13 = bitcast i32 %ar13 to <2 x half>
  %bp = getelementptr i8, ptr addrspace(3) %b, i32 %at
  %bv = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %bp)
  %br0 = extractvalue { i32, i32, i32, i32 } %bv, 0
  %b0 = bitcast i32 %br0 to <2 x half>
  %br1 = extractvalue { i32, i32, i32, i32 } %bv, 1
  %b1 = bitcast i32 %br1 to <2 x half>
  %br2 = extractvalue { i32, i32, i32, i32 } %bv, 2
  %b2 = bitcast i32 %br2 to <2 x half>
  %br3 = extractvalue { i32, i32, i32, i32 } %bv, 3
  %b3 = bitcast i32 %br3 to <2 x half>
  %dv0 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %a00, <2 x half> %a01, <2 x half> %a02, <2 x half> %a03, <2 x half> %b0, <2 x half> %b1, float %c00, float %c01, float %c02, float %c03)
  %d00 = extractvalue { float, float, float, float } %dv0, 0
  %d01 = extractvalue { float, float, float, float } %dv0, 1
  %d02 = extractvalue { float, float, float, float } %dv0, 2
  %d03 = extractvalue { float, float, float, float } %dv0, 3
  %dv1 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %a00, <2 x half> %a01, <2 x half> %a02, <2 x half> %a03, <2 x half> %b2, <2 x half> %b3, float %c10, float %c11, float %c12, float %c13)
  %d10 = extractvalue { float, float, float, float } %dv1, 0
  %d11 = extractvalue { float, float, float, float } %dv1, 1
  %d12 = extractvalue { float, float, float, float } %dv1, 2
  %d13 = extractvalue { float, float, float, float } %dv1, 3
  %dv2 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %a10, <2 x half> %a11, <2 x half> %a12, <2 x half> %a13, <2 x half> %b0, <2 x half> %b1, float %c20, float %c21, float %c22, float %c23)
  %d20 = extractvalue { float, float, float, float } %dv2, 0
  %d21 = extractvalue { float, float, float, float } %dv2, 1
  %d22 = extractvalue { float, float, float, float } %dv2, 2
  %d23 = extractvalue { float, float, float, float } %dv2, 3
  %dv3 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %a10, <2 x half> %a11, <2 x half> %a12, <2 x half> %a13, <2 x half> %b2, <2 x half> %b3, float %c30, float %c31, float %c32, float %c33)
  %d30 = extractvalue { float, float, float, float } %dv3, 0
  %d31 = extractvalue { float, float, float, float } %dv3, 1
  %d32 = extractvalue { float, float, float, float } %dv3, 2
  %d33 = extractvalue { float, float, float, float } %dv3, 3
  %next = add i32 %step, 1
  %more = icmp slt i32 %next, %steps
  br i1 %more, label %loop, label %exit

exit:
  %o00 = insertelement <4 x float> poison, float %d00, i32 0
  %o01 = insertelement <4 x float> %o00, float %d01, i32 1
  %o02 = insertelement <4 x float> %o01, float %d02, i32 2
  %o03 = insertelement <4 x float> %o02, float %d03, i32 3
  %p0 = getelementptr <4 x float>, ptr addrspace(1) %c, i32 0
  store <4 x float> %o03, ptr addrspace(1) %p0
  %o10 = insertelement <4 x float> poison, float %d10, i32 0
  %o11 = insertelement <4 x float> %o10, float %d11, i32 1
  %o12 = insertelement <4 x float> %o11, float %d12, i32 2
  %o13 = insertelement <4 x float> %o12, float %d13, i32 3
  %p1 = getelementptr <4 x float>, ptr addrspace(1) %c, i32 1
  store <4 x float> %o13, ptr addrspace(1) %p1
  %o20 = insertelement <4 x float> poison, float %d20, i32 0
  %o21 = insertelement <4 x float> %o20, float %d21, i32 1
  %o22 = insertelement <4 x float> %o21, float %d22, i32 2
  %o23 = insertelement <4 x float> %o22, float %d23, i32 3
  %p2 = getelementptr <4 x float>, ptr addrspace(1) %c, i32 2
  store <4 x float> %o23, ptr addrspace(1) %p2
  %o30 = insertelement <4 x float> poison, float %d30, i32 0
  %o31 = insertelement <4 x float> %o30, float %d31, i32 1
  %o32 = insertelement <4 x float> %o31, float %d32, i32 2
  %o33 = insertelement <4 x float> %o32, float %d33, i32 3
  %p3 = getelementptr <4 x float>, ptr addrspace(1) %c, i32 3
  store <4 x float> %o33, ptr addrspace(1) %p3
  ret void
}
