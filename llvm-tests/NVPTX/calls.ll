; Calls. Parameters and results go through .param space; values that live across the
; call keep their registers, for a call preserves them all. Spill code lies inside
; the call sequence, next to the st.param that needs the value, and the result is
; stored before the sequence ends.
; RUN: %gpu -mcpu=sm_90 %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4 -warpalloc-disable=remat,split,redundant-reloads %s -o %t.spill.ptx
; RUN: %FileCheck %s --check-prefix=SPILL <%t.spill.ptx
; RUN: %if ptxas %{ %ptxas -c -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %if ptxas %{ %ptxas -c -arch=sm_90 -o %t.cubin %t.spill.ptx %}

target triple = "nvptx64-nvidia-cuda"

declare i32 @external(i32, i32, i64)

; CHECK-LABEL: .func{{.*}} add(
; CHECK:         .reg .b32 %r<3>;
; CHECK:         ld.param.b32 [[A:%r[0-9]+]], [add_param_0];
; CHECK-NEXT:    ld.param.b32 [[B:%r[0-9]+]], [add_param_1];
; CHECK-NEXT:    add.s32 [[S:%r[0-9]+]], [[A]], [[B]];
; CHECK-NEXT:    st.param.b32 [func_retval0], [[S]];
; CHECK-NEXT:    ret;
define i32 @add(i32 %a, i64 %b) {
  %t = trunc i64 %b to i32
  %r = add i32 %a, %t
  ret i32 %r
}

; CHECK-LABEL: .visible .entry caller(
; CHECK-NOT:     local
; CHECK:         ld.volatile.global.b32 [[X:%r[0-9]+]],
; CHECK-NEXT:    ld.volatile.global.b32 [[A:%r[0-9]+]],
; CHECK-NEXT:    ld.volatile.global.b32 [[B:%r[0-9]+]],
; CHECK:         // callseq 0, 0
; CHECK:         st.param.b32 [param1], [[A]];
; CHECK-NEXT:    st.param.b32 [param0], [[X]];
; CHECK-NEXT:    call.uni (retval0), external,
; CHECK-NEXT:    ld.param.b32 [[R:%r[0-9]+]], [retval0];
; CHECK-NEXT:    } // callseq 0
; CHECK:         st.param.b32 [param0], [[R]];
; CHECK-NEXT:    call.uni (retval0), add,
; CHECK-NEXT:    ld.param.b32 [[S:%r[0-9]+]], [retval0];
; CHECK-NEXT:    } // callseq 1
; CHECK-NEXT:    st.volatile.global.b32 [[P:\[%rd[0-9]+\]]], [[S]];
; CHECK-NEXT:    st.volatile.global.b32 [[P]], [[B]];
; CHECK-NEXT:    st.volatile.global.b32 [[P]], [[X]];

; SPILL-LABEL: .visible .entry caller(
; SPILL:         ld.volatile.global.b32 [[X:%r[0-9]+]],
; SPILL-NEXT:    st.local.b32 [[SX:.*]], [[X]]; //
; SPILL-NEXT:    ld.volatile.global.b32 [[A:%r[0-9]+]],
; SPILL-NEXT:    st.local.b32 [[SA:.*]], [[A]]; //
; SPILL-NEXT:    ld.volatile.global.b32 [[B:%r[0-9]+]],
; SPILL-NEXT:    st.local.b32 [[SB:.*]], [[B]]; //
; SPILL-NEXT:    ld.volatile.global.b64 [[C:%rd[0-9]+]],
; SPILL-NEXT:    st.local.b64 [[SC:.*]], [[C]]; //
; SPILL-NEXT:    { // callseq 0, 0
; SPILL:         ld.local.b64 [[C:%rd[0-9]+]], [[SC]]; //
; SPILL-NEXT:    st.param.b64 [param2], [[C]];
; SPILL-NEXT:    ld.local.b32 [[A:%r[0-9]+]], [[SA]]; //
; SPILL-NEXT:    st.param.b32 [param1], [[A]];
; SPILL-NEXT:    ld.local.b32 [[X:%r[0-9]+]], [[SX]]; //
; SPILL-NEXT:    st.param.b32 [param0], [[X]];
; SPILL-NEXT:    call.uni (retval0), external,
; SPILL-NEXT:    ld.param.b32 [[R:%r[0-9]+]], [retval0];
; SPILL:         } // callseq 0
; SPILL:         } // callseq 1
; SPILL:         ld.local.b32 [[B:%r[0-9]+]], [[SB]]; //
; SPILL-NEXT:    st.volatile.global.b32 [%rd{{[0-9]+}}], [[B]];
; SPILL-NEXT:    ld.local.b32 [[X:%r[0-9]+]], [[SX]]; //
; SPILL-NEXT:    st.volatile.global.b32 [%rd{{[0-9]+}}], [[X]];
define ptx_kernel void @caller(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  %c = load volatile i64, ptr addrspace(1) %p
  %r = call i32 @external(i32 %x, i32 %a, i64 %c)
  %s = call i32 @add(i32 %r, i64 %c)
  store volatile i32 %s, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}
