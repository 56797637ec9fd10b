; A predicate that two branches read stays in its register between them.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry twice(
; CHECK:         .reg .pred %p<2>;
; CHECK:         setp.ge.s32 %p1, %r{{[0-9]+}}, %r{{[0-9]+}};
; CHECK-NEXT:    @%p1 bra $L__BB0_2;
; CHECK:         st.volatile.global.b32 [%rd1], 1;
; CHECK:       $L__BB0_2:
; CHECK-NEXT:    @%p1 bra $L__BB0_4;
; CHECK:         st.volatile.global.b32 [%rd1], 2;
; CHECK:       $L__BB0_4:
; CHECK-NEXT:    ret;

; STATS: used.P=1 maxlive.P=1 budget.P=7
define ptx_kernel void @twice(ptr addrspace(1) %p, i32 %n) {
entry:
  %v = load volatile i32, ptr addrspace(1) %p
  %c = icmp slt i32 %v, %n
  br i1 %c, label %first, label %second

first:
  store volatile i32 1, ptr addrspace(1) %p
  br label %second

second:
  br i1 %c, label %third, label %exit

third:
  store volatile i32 2, ptr addrspace(1) %p
  br label %exit

exit:
  ret void
}
