; Two runs give the same bytes, in the PTX, the statistics and the dump, and a
; function is allocated in the same way alone and among others.
; RUN: rm -rf %t && mkdir %t
; RUN: %gpu -warpalloc-disable=reorder -mcpu=sm_90 -nvptx-regalloc-pressure-limit=8 -print-regalloc-stats -warpalloc-dump=%t/a %s -o %t/a.ptx 2>%t/a.stats
; RUN: %gpu -warpalloc-disable=reorder -mcpu=sm_90 -nvptx-regalloc-pressure-limit=8 -print-regalloc-stats -warpalloc-dump=%t/b %s -o %t/b.ptx 2>%t/b.stats
; RUN: cmp %t/a.ptx %t/b.ptx
; RUN: cmp %t/a.stats %t/b.stats
; RUN: diff -r %t/a %t/b
; RUN: %FileCheck %s <%t/a.stats
; The second function first, after it the first.
; RUN: sed '/^define .*@first/,/^}/d' %s >%t/swapped.ll
; RUN: sed -n '/^define .*@first/,/^}/p' %s >>%t/swapped.ll
; RUN: %gpu -warpalloc-disable=reorder -mcpu=sm_90 -nvptx-regalloc-pressure-limit=8 -print-regalloc-stats %t/swapped.ll -o %t/c.ptx 2>%t/c.stats
; RUN: sort %t/a.stats >%t/a.sorted
; RUN: sort %t/c.stats >%t/c.sorted
; RUN: cmp %t/a.sorted %t/c.sorted
; RUN: sed -n '/entry first/,/End function/p' %t/a.ptx | grep -o '[a-z.0-9]*b32 *.*;' >%t/a.first
; RUN: sed -n '/entry first/,/End function/p' %t/c.ptx | grep -o '[a-z.0-9]*b32 *.*;' >%t/c.first
; RUN: cmp %t/a.first %t/c.first
; RUN: %FileCheck %s --check-prefix=CODE <%t/a.first

; CHECK: warpalloc: function=first {{.*}}budget.R=8 {{.*}}spilled={{[1-9]}}
; CHECK-NEXT: warpalloc: function=second {{.*}}budget.R=8 {{.*}}spilled={{[1-9]}}
; CODE: st.local.b32
; CODE: ld.local.b32

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @first(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop

loop:
  %s = phi float [ 0.0, %entry ], [ %s4, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %v0 = load volatile float, ptr addrspace(1) %p
  %v1 = load volatile float, ptr addrspace(1) %p
  %v2 = load volatile float, ptr addrspace(1) %p
  %v3 = load volatile float, ptr addrspace(1) %p
  %v4 = load volatile float, ptr addrspace(1) %p
  %v5 = load volatile float, ptr addrspace(1) %p
  %v6 = load volatile float, ptr addrspace(1) %p
  %s0_0 = fadd float %s, %v0
  %s0_1 = fadd float %s0_0, %v1
  %s0_2 = fadd float %s0_1, %v2
  %s0_3 = fadd float %s0_2, %v3
  %s0_4 = fadd float %s0_3, %v4
  %s0_5 = fadd float %s0_4, %v5
  %s4 = fadd float %s0_5, %v6
  %i1 = add i32 %i, 1
  %again = icmp slt i32 %i1, %n
  br i1 %again, label %loop, label %exit

exit:
  store volatile float %s4, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @second(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop

loop:
  %s = phi float [ 0.0, %entry ], [ %s4, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %v0 = load volatile float, ptr addrspace(1) %p
  %v1 = load volatile float, ptr addrspace(1) %p
  %v2 = load volatile float, ptr addrspace(1) %p
  %v3 = load volatile float, ptr addrspace(1) %p
  %v4 = load volatile float, ptr addrspace(1) %p
  %v5 = load volatile float, ptr addrspace(1) %p
  %v6 = load volatile float, ptr addrspace(1) %p
  %v7 = load volatile float, ptr addrspace(1) %p
  %v8 = load volatile float, ptr addrspace(1) %p
  %s0_0 = fadd float %s, %v0
  %s0_1 = fadd float %s0_0, %v1
  %s0_2 = fadd float %s0_1, %v2
  %s0_3 = fadd float %s0_2, %v3
  %s0_4 = fadd float %s0_3, %v4
  %s0_5 = fadd float %s0_4, %v5
  %s0_6 = fadd float %s0_5, %v6
  %s0_7 = fadd float %s0_6, %v7
  %s4 = fadd float %s0_7, %v8
  %i1 = add i32 %i, 1
  %again = icmp slt i32 %i1, %n
  br i1 %again, label %loop, label %exit

exit:
  store volatile float %s4, ptr addrspace(1) %p
  ret void
}
