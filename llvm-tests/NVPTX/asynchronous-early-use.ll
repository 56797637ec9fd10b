; What a load of tensor memory leaves in registers is not there before the wait, although
; nothing in LLVM says so: what reads it is moved behind the wait, whatever else happens.
; RUN: %gpu -mcpu=sm_100a -mattr=+ptx88 %s -o %t.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: %gpu -mcpu=sm_100a -mattr=+ptx88 -warpalloc-disable=reorder -warpalloc-select=fatpoint %s -o %t.fatpoint.ptx
; RUN: %FileCheck %s <%t.fatpoint.ptx
; RUN: %gpu -mcpu=sm_100a -mattr=+ptx88 -pass-remarks-missed=warpalloc %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=REMARK
; RUN: %if ptxas %{ %ptxas -arch=sm_100a -o %t.cubin %t.ptx %}

; REMARK: 'stored' accesses registers of asynchronous instructions in 1 place before waiting for them
; REMARK-NOT: 'early' accesses

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry early(
; CHECK:         tcgen05.ld.sync.aligned.32x32b.x2.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]]},
; CHECK-NOT:     add.s32
; CHECK-NOT:     st.
; CHECK:         tcgen05.wait::ld.sync.aligned;
; CHECK:         add.s32 [[S:%r[0-9]+]], [[A]], [[B]];
; CHECK:         st.global.b32 [{{.*}}], [[S]];
define ptx_kernel void @early(ptr addrspace(1) %p, i32 %address) {
  %r = call { i32, i32 } asm sideeffect "tcgen05.ld.sync.aligned.32x32b.x2.b32 {$0, $1}, [$2];", "=r,=r,r"(i32 %address)
  %a = extractvalue { i32, i32 } %r, 0
  %b = extractvalue { i32, i32 } %r, 1
  %s = add i32 %a, %b
  call void asm sideeffect "tcgen05.wait::ld.sync.aligned;", ""()
  store i32 %s, ptr addrspace(1) %p
  ret void
}

; The volatile store has to stand before the wait.
; CHECK-LABEL: .visible .entry stored(
; CHECK:         tcgen05.ld.sync.aligned.32x32b.x1.b32 {[[A:%r[0-9]+]]},
; CHECK:         st.volatile.global.b32 [{{.*}}], [[A]];
; CHECK:         tcgen05.wait::ld.sync.aligned;
define ptx_kernel void @stored(ptr addrspace(1) %p, i32 %address) {
  %a = call i32 asm sideeffect "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1];", "=r,r"(i32 %address)
  store volatile i32 %a, ptr addrspace(1) %p
  call void asm sideeffect "tcgen05.wait::ld.sync.aligned;", ""()
  ret void
}
