; Undefined and poison values, frozen ones and phis with an undefined input: no
; spill code for them, nothing that lives is destroyed.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry undefined(
; CHECK-NOT:     local
; CHECK:         ld.volatile.global.b32 [[X:%r[0-9]+]], [%rd1];
; CHECK-NOT:     ld.volatile.global.b32 [[X]]
; CHECK:       %join
; CHECK-NOT:     ld.volatile
; CHECK:         st.volatile.global.b32 [%rd1], [[X]];
; CHECK-NEXT:    ret;
; STATS: function=undefined used.R=4 maxlive.R=4 budget.R=4 {{.*}}spilled=0
define ptx_kernel void @undefined(ptr addrspace(1) %p) {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %f = freeze i32 poison
  store volatile i32 %f, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %c = icmp eq i32 %y, 0
  br i1 %c, label %set, label %join

set:
  store volatile i32 1, ptr addrspace(1) %p
  br label %join

join:
  %r = phi i32 [ undef, %entry ], [ %y, %set ]
  store volatile i32 %r, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}
