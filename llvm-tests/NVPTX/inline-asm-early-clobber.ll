; A result of inline assembly shares no register with an operand, even one that
; dies there, where the text writes it before it has read them all, whether it is
; marked as an early clobber or not: PTX assembly is written for registers without
; end. Where all are read first, as one instruction does, it may.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=3 %s -o %t.three.ptx
; RUN: %FileCheck %s --check-prefix=THREE <%t.three.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.three.ptx %}

target triple = "nvptx64-nvidia-cuda"

; At the assembly the address, two operands and the result are live: five.
; CHECK-LABEL: .visible .entry early(
; CHECK:         .reg .b32 %r<4>;
; CHECK:         ld.volatile.global.b32 [[X:%r[0-9]+]],
; CHECK-NEXT:    ld.volatile.global.b32 [[Y:%r[0-9]+]],
; CHECK-NOT:     mov.u32 [[X]]
; CHECK-NOT:     mov.u32 [[Y]]
; CHECK:         mov.u32 [[R:%r[0-9]+]], [[Y]]; add.u32 [[R]], [[R]], [[X]];
; CHECK:         st.volatile.global.b32 [%rd1], [[R]];
; STATS: function=early used.R=5 maxlive.R=5
; THREE-LABEL: .visible .entry early(
; THREE:         .reg .b32 %r<4>;
; THREE:         ret;
define ptx_kernel void @early(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %r = call i32 asm sideeffect "mov.u32 $0, $1; add.u32 $0, $0, $2;", "=&r,r,r"(i32 %y, i32 %x)
  store volatile i32 %r, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .visible .entry late(
; CHECK:         .reg .b32 %r<4>;
; CHECK:         ld.volatile.global.b32 [[X:%r[0-9]+]],
; CHECK-NEXT:    ld.volatile.global.b32 [[Y:%r[0-9]+]],
; CHECK-NOT:     mov.u32 [[X]]
; CHECK-NOT:     mov.u32 [[Y]]
; CHECK:         mov.u32 [[R:%r[0-9]+]], [[Y]]; add.u32 [[R]], [[R]], [[X]];
; STATS: function=late used.R=5 maxlive.R=5
define ptx_kernel void @late(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %r = call i32 asm sideeffect "mov.u32 $0, $1; add.u32 $0, $0, $2;", "=r,r,r"(i32 %y, i32 %x)
  store volatile i32 %r, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .visible .entry one(
; CHECK:         .reg .b32 %r<3>;
; CHECK:         ld.volatile.global.b32 [[X:%r[0-9]+]],
; CHECK-NEXT:    ld.volatile.global.b32 [[Y:%r[0-9]+]],
; CHECK:         add.u32 [[R:%r[12]]], [[Y]], [[X]];
; CHECK:         st.volatile.global.b32 [%rd1], [[R]];
; STATS: function=one used.R=4 maxlive.R=4
define ptx_kernel void @one(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %r = call i32 asm sideeffect "add.u32 $0, $1, $2;", "=r,r,r"(i32 %y, i32 %x)
  store volatile i32 %r, ptr addrspace(1) %p
  ret void
}

; What the last statement writes may be in the register of what it reads.
; CHECK-LABEL: .visible .entry last(
; CHECK:         .reg .b32 %r<3>;
; STATS: function=last used.R=4 maxlive.R=4
define ptx_kernel void @last(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %r = call i32 asm sideeffect "{ .reg .u32 t; add.u32 t, $1, $2; sub.u32 $0, t, $2; }", "=r,r,r"(i32 %y, i32 %x)
  store volatile i32 %r, ptr addrspace(1) %p
  ret void
}

; The mark counts for one instruction too.
; CHECK-LABEL: .visible .entry marked(
; CHECK:         .reg .b32 %r<4>;
; STATS: function=marked used.R=5 maxlive.R=5
define ptx_kernel void @marked(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %r = call i32 asm sideeffect "add.u32 $0, $1, $2;", "=&r,r,r"(i32 %y, i32 %x)
  store volatile i32 %r, ptr addrspace(1) %p
  ret void
}
