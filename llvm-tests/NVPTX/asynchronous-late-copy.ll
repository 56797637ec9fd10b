; A loop that leaves a multiplication pending computes the fragments of the next one into
; registers that the pending one may still read. They are computed where they were, into other
; registers, and get their own behind the wait: ptxas, which sees two values there, makes one of
; them again. What is read too early, or depends on that, is still put off.
; RUN: %gpu -mcpu=sm_90a -mattr=+ptx80 %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %gpu -mcpu=sm_90a -mattr=+ptx80 -warpalloc-spills=here -nvptx-regalloc-pressure-limit=40 %s -o %t.here.ptx
; RUN: %FileCheck %s <%t.here.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90a -o %t.cubin %t.ptx %}
; RUN: %if ptxas %{ %ptxas -arch=sm_90a -o %t.cubin %t.here.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry pending(
; CHECK:       $L__BB0_1:
; CHECK:         xor.b32 [[EARLY:%r[0-9]+]], {{%r[0-9]+}}, 5;
; CHECK:         wgmma.wait_group.sync.aligned 0;
; CHECK:         mov.b32 [[A:%r[0-9]+]], [[EARLY]];
; CHECK:         wgmma.fence.sync.aligned;
; CHECK:         wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{{.*}}}, {[[A]],
; CHECK:         wgmma.commit_group.sync.aligned;
define ptx_kernel void @pending(ptr addrspace(1) %p, i64 %desc, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %d0 = phi float [ 0.0, %entry ], [ %e0, %loop ]
  %d1 = phi float [ 0.0, %entry ], [ %e1, %loop ]
  %d2 = phi float [ 0.0, %entry ], [ %e2, %loop ]
  %d3 = phi float [ 0.0, %entry ], [ %e3, %loop ]
  %a = xor i32 %i, 5
  %b = xor i32 %i, 7
  %c = xor i32 %i, 11
  %e = xor i32 %i, 13
  call void asm sideeffect "wgmma.wait_group.sync.aligned 0;", "~{memory}"()
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %r = call { float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, 1, 1, 1, 0;", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,l"(float %d0, float %d1, float %d2, float %d3, i32 %a, i32 %b, i32 %c, i32 %e, i64 %desc)
  %e0 = extractvalue { float, float, float, float } %r, 0
  %e1 = extractvalue { float, float, float, float } %r, 1
  %e2 = extractvalue { float, float, float, float } %r, 2
  %e3 = extractvalue { float, float, float, float } %r, 3
  call void asm sideeffect "wgmma.commit_group.sync.aligned;", "~{memory}"()
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  call void asm sideeffect "wgmma.wait_group.sync.aligned 0;", "~{memory}"()
  %s0 = fadd float %e0, %e1
  %s1 = fadd float %e2, %e3
  %s = fadd float %s0, %s1
  store float %s, ptr addrspace(1) %p
  ret void
}
