; A switch becomes brx.idx over a table. The value that lives across it keeps its
; register in every branch; under a limit it is stored once, before the jump, and
; reloaded in each branch.
; RUN: %gpu -mcpu=sm_90 %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 -warpalloc-disable=remat %s -o %t.four.ptx
; RUN: %FileCheck %s --check-prefix=FOUR <%t.four.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.four.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry switch(
; CHECK:         ld.volatile.global.b32 [[X:%r[0-9]+]],
; CHECK:         brx.idx %r{{[0-9]+}}, $L_brx_0;
; CHECK-COUNT-5: mul.lo.s32 %r{{[0-9]+}}, [[X]],
; CHECK-NOT:     local
; CHECK:         st.volatile.global.b32 [%rd1], [[X]];
; CHECK-NEXT:    ret;

; FOUR-LABEL:  .visible .entry switch(
; FOUR:          ld.volatile.global.b32 [[X:%r[0-9]+]],
; FOUR-NEXT:     st.local.b32 [%SPL], [[X]];
; FOUR-NOT:      st.local
; FOUR:          brx.idx %r{{[0-9]+}}, $L_brx_0;
; FOUR:          ld.local.b32 [[Y:%r[0-9]+]], [%SPL];
; FOUR-NEXT:     mul.lo.s32 %r{{[0-9]+}}, [[Y]],
; FOUR:          ld.local.b32 [[Y:%r[0-9]+]], [%SPL];
; FOUR-NEXT:     mul.lo.s32 %r{{[0-9]+}}, [[Y]],
; FOUR:          ld.local.b32 [[Y:%r[0-9]+]], [%SPL];
; FOUR-NEXT:     mul.lo.s32 %r{{[0-9]+}}, [[Y]],
; FOUR:          ld.local.b32 [[Y:%r[0-9]+]], [%SPL];
; FOUR-NEXT:     mul.lo.s32 %r{{[0-9]+}}, [[Y]],
; FOUR:          ld.local.b32 [[Y:%r[0-9]+]], [%SPL];
; FOUR-NEXT:     mul.lo.s32 %r{{[0-9]+}}, [[Y]],
; FOUR:          ld.local.b32 [[Y:%r[0-9]+]], [%SPL];
; FOUR-NEXT:     st.volatile.global.b32 [%rd1], [[Y]];
define ptx_kernel void @switch(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  switch i32 %n, label %done [
    i32 0, label %c0
    i32 1, label %c1
    i32 2, label %c2
    i32 3, label %c3
    i32 4, label %c4
  ]

c0:
  %x0 = mul i32 %x, 5
  store volatile i32 %x0, ptr addrspace(1) %p
  br label %done

c1:
  %x1 = mul i32 %x, 7
  store volatile i32 %x1, ptr addrspace(1) %p
  br label %done

c2:
  %x2 = mul i32 %x, 9
  store volatile i32 %x2, ptr addrspace(1) %p
  br label %done

c3:
  %x3 = mul i32 %x, 11
  store volatile i32 %x3, ptr addrspace(1) %p
  br label %done

c4:
  %x4 = mul i32 %x, 13
  store volatile i32 %x4, ptr addrspace(1) %p
  br label %done

done:
  %r = phi i32 [ 0, %entry ], [ %x0, %c0 ], [ %x1, %c1 ], [ %x2, %c2 ], [ %x3, %c3 ], [ %x4, %c4 ]
  store volatile i32 %r, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}
