; A tied operand is one register, read and written. A value that is needed again
; after the assembly is copied first; one that is not, is not.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 %s -o %t.four.ptx
; RUN: %FileCheck %s --check-prefix=FOUR <%t.four.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.four.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry again(
; CHECK:         ld.volatile.global.b32 [[X:%r[0-9]+]],
; CHECK-NEXT:    ld.volatile.global.b32 [[Y:%r[0-9]+]],
; CHECK-NEXT:    mov.b32 [[C:%r[0-9]+]], [[X]];
; CHECK:         mad.lo.s32 [[C]], [[Y]], [[Y]], [[C]];
; CHECK:         st.volatile.global.b32 [%rd1], [[C]];
; CHECK-NEXT:    st.volatile.global.b32 [%rd1], [[X]];
; STATS: function=again used.R=5 maxlive.R=5 {{.*}}copies_left=1
; FOUR-LABEL: .visible .entry again(
; FOUR:         mad.lo.s32 [[C:%r[0-9]+]], [[Y:%r[0-9]+]], [[Y]], [[C]];
; FOUR:         ret;
define ptx_kernel void @again(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %r = call i32 asm "mad.lo.s32 $0, $1, $1, $0;", "=r,r,0"(i32 %y, i32 %x)
  store volatile i32 %r, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .visible .entry last(
; CHECK:         ld.volatile.global.b32 [[X:%r[0-9]+]],
; CHECK-NEXT:    ld.volatile.global.b32 [[Y:%r[0-9]+]],
; CHECK-NOT:     mov.
; CHECK:         mad.lo.s32 [[X]], [[Y]], [[Y]], [[X]];
; CHECK:         st.volatile.global.b32 [%rd1], [[X]];
; STATS: function=last used.R=4 maxlive.R=4 {{.*}}copies_left=0
; FOUR-LABEL: .visible .entry last(
; FOUR-NOT:     local
; FOUR:         ret;
define ptx_kernel void @last(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %r = call i32 asm "mad.lo.s32 $0, $1, $1, $0;", "=r,r,0"(i32 %y, i32 %x)
  store volatile i32 %r, ptr addrspace(1) %p
  ret void
}
