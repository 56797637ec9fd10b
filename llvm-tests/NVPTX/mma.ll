; Tensor cores: mma.sync as inline assembly with four accumulators that are results
; and tied operands. In a chain of them the accumulators stay in their registers,
; without a move; when all is spilled around one, each goes back to its own slot.
; RUN: %gpu -mcpu=sm_80 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %gpu -mcpu=sm_80 -nvptx-regalloc-pressure-limit=10 %s -o %t.ten.ptx
; RUN: %FileCheck %s --check-prefix=TEN <%t.ten.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}
; RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.ten.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry chain(
; CHECK:         ld.volatile.global.v4.b32 {[[C0:%r[0-9]+]], [[C1:%r[0-9]+]], [[C2:%r[0-9]+]], [[C3:%r[0-9]+]]}, [%rd1];
; CHECK-NOT:     mov.b32
; CHECK:       $L__BB0_1:
; CHECK-NOT:     mov.b32
; CHECK:         mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {[[C0]], [[C1]], [[C2]], [[C3]]}, {{{%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+}}}, {{{%r[0-9]+, %r[0-9]+}}}, {[[C0]], [[C1]], [[C2]], [[C3]]};
; CHECK-NOT:     mov.b32
; CHECK:         bra $L__BB0_1;
; CHECK:         st.volatile.global.v4.b32 [%rd1], {[[C0]], [[C1]], [[C2]], [[C3]]};
; STATS: function=chain used.R=12 maxlive.R=12 {{.*}}spilled=0 {{.*}}copies_left=0

; The ten values that the instruction reads take all registers: the address waits in
; memory.
; TEN-LABEL:   .visible .entry chain(
; TEN:           .reg .b32 %r<11>;
; TEN:           mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {[[C0:%r[0-9]+]], [[C1:%r[0-9]+]], [[C2:%r[0-9]+]], [[C3:%r[0-9]+]]}, {{{%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+}}}, {{{%r[0-9]+, %r[0-9]+}}}, {[[C0]], [[C1]], [[C2]], [[C3]]};
; TEN:           ret;
define ptx_kernel void @chain(ptr addrspace(1) %p) {
entry:
  %c = load volatile <4 x float>, ptr addrspace(1) %p
  %c0 = extractelement <4 x float> %c, i32 0
  %c1 = extractelement <4 x float> %c, i32 1
  %c2 = extractelement <4 x float> %c, i32 2
  %c3 = extractelement <4 x float> %c, i32 3
  br label %loop

loop:
  %d0 = phi float [ %c0, %entry ], [ %e0, %loop ]
  %d1 = phi float [ %c1, %entry ], [ %e1, %loop ]
  %d2 = phi float [ %c2, %entry ], [ %e2, %loop ]
  %d3 = phi float [ %c3, %entry ], [ %e3, %loop ]
  %a = load volatile <4 x i32>, ptr addrspace(1) %p
  %a0 = extractelement <4 x i32> %a, i32 0
  %a1 = extractelement <4 x i32> %a, i32 1
  %a2 = extractelement <4 x i32> %a, i32 2
  %a3 = extractelement <4 x i32> %a, i32 3
  %b = load volatile <2 x i32>, ptr addrspace(1) %p
  %b0 = extractelement <2 x i32> %b, i32 0
  %b1 = extractelement <2 x i32> %b, i32 1
  %r = call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %b0, i32 %b1, float %d0, float %d1, float %d2, float %d3)
  %e0 = extractvalue { float, float, float, float } %r, 0
  %e1 = extractvalue { float, float, float, float } %r, 1
  %e2 = extractvalue { float, float, float, float } %r, 2
  %e3 = extractvalue { float, float, float, float } %r, 3
  %x = load volatile i32, ptr addrspace(1) %p
  %again = icmp eq i32 %x, 0
  br i1 %again, label %loop, label %exit

exit:
  %v0 = insertelement <4 x float> poison, float %e0, i32 0
  %v1 = insertelement <4 x float> %v0, float %e1, i32 1
  %v2 = insertelement <4 x float> %v1, float %e2, i32 2
  %v3 = insertelement <4 x float> %v2, float %e3, i32 3
  store volatile <4 x float> %v3, ptr addrspace(1) %p
  ret void
}
