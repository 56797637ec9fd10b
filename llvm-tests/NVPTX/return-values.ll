; A function returns a struct and takes one by value: the parts are values of their
; own, and the caller reads what it needs of them.
; RUN: %gpu -mcpu=sm_80 %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %gpu -mcpu=sm_80 -nvptx-regalloc-pressure-limit=5 -warpalloc-disable=remat %s -o %t.five.ptx
; RUN: %FileCheck %s --check-prefix=FIVE <%t.five.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}
; RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.five.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .func{{.*}} swap(
; CHECK:         ld.param.v2.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]]}, [swap_param_0];
; CHECK-NEXT:    ld.param.b64 [[C:%rd[0-9]+]], [swap_param_0+8];
; CHECK-NOT:     mov.
; CHECK-DAG:     st.param.b64 [func_retval0+8], [[C]];
; CHECK-DAG:     st.param.v2.b32 [func_retval0], {[[B]], [[A]]};
; CHECK:         ret;
; FIVE-LABEL:  .func{{.*}} swap(
; FIVE-NOT:      local
; FIVE:          ret;
define { i32, i32, i64 } @swap({ i32, i32, i64 } %x) noinline {
  %a = extractvalue { i32, i32, i64 } %x, 0
  %b = extractvalue { i32, i32, i64 } %x, 1
  %c = extractvalue { i32, i32, i64 } %x, 2
  %r0 = insertvalue { i32, i32, i64 } poison, i32 %b, 0
  %r1 = insertvalue { i32, i32, i64 } %r0, i32 %a, 1
  %r2 = insertvalue { i32, i32, i64 } %r1, i64 %c, 2
  ret { i32, i32, i64 } %r2
}

; CHECK-LABEL: .visible .entry k(
; CHECK:         call.uni (retval0), swap, (param0);
; CHECK:         add.s32
; FIVE-LABEL:  .visible .entry k(
; FIVE:          .local
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n, i64 %m) {
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %s0 = insertvalue { i32, i32, i64 } poison, i32 %x, 0
  %s1 = insertvalue { i32, i32, i64 } %s0, i32 %y, 1
  %s2 = insertvalue { i32, i32, i64 } %s1, i64 %m, 2
  %r = call { i32, i32, i64 } @swap({ i32, i32, i64 } %s2)
  %a = extractvalue { i32, i32, i64 } %r, 0
  %b = extractvalue { i32, i32, i64 } %r, 1
  %c = extractvalue { i32, i32, i64 } %r, 2
  %sum = add i32 %a, %b
  store volatile i32 %sum, ptr addrspace(1) %p
  store volatile i64 %c, ptr addrspace(1) %p
  ret void
}
