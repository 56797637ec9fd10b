; The parts of a vector load are values of their own: all are stored after the load, each
; to its own slot, by one instruction, and all are back before the vector store.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=6 -print-regalloc-stats %s -o %t.ptx 2>%t.stats
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry four_floats(
; CHECK:         .local .align 16 .b8 __local_depot0[16];
; CHECK:         .reg .b32 %r<5>;
; CHECK-NEXT:    .reg .b64 %rd<2>;
; CHECK:         ld.volatile.global.v4.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]}, [%rd1];
; CHECK-NEXT:    st.local.v4.b32 [%SPL], {[[A]], [[B]], [[C]], [[D]]}; //
; CHECK-COUNT-2: st.volatile.global.v4.b32
; CHECK-NEXT:    ld.local.v4.b32 {[[A2:%r[0-9]+]], [[B2:%r[0-9]+]], [[C2:%r[0-9]+]], [[D2:%r[0-9]+]]}, [%SPL]; //
; CHECK-NEXT:    st.volatile.global.v4.b32 [%rd1], {[[A2]], [[B2]], [[C2]], [[D2]]};

; STATS: function=four_floats used.R=6 maxlive.R=6 budget.R=6 spilled=4 stores=4 reloads=4
define ptx_kernel void @four_floats(ptr addrspace(1) %p) {
  %x = load volatile <4 x float>, ptr addrspace(1) %p
  %y = load volatile <4 x float>, ptr addrspace(1) %p
  store volatile <4 x float> %y, ptr addrspace(1) %p
  store volatile <4 x float> %y, ptr addrspace(1) %p
  store volatile <4 x float> %x, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .visible .entry two_doubles(
; CHECK:         .local .align 16 .b8 __local_depot1[16];
; CHECK:         ld.volatile.global.v2.b64 {[[A:%rd[0-9]+]], [[B:%rd[0-9]+]]}, [%rd{{[0-9]+}}];
; CHECK-NEXT:    st.local.v2.b64 [%SPL], {[[A]], [[B]]}; //
; CHECK-COUNT-2: st.volatile.global.v2.b64
; CHECK-NEXT:    ld.local.v2.b64 {[[A2:%rd[0-9]+]], [[B2:%rd[0-9]+]]}, [%SPL]; //
; CHECK-NEXT:    st.volatile.global.v2.b64 [%rd{{[0-9]+}}], {[[A2]], [[B2]]};

; STATS: function=two_doubles used.R=6 maxlive.R=6 budget.R=6 spilled=2 stores=2 reloads=2
define ptx_kernel void @two_doubles(ptr addrspace(1) %p) {
  %x = load volatile <2 x double>, ptr addrspace(1) %p
  %y = load volatile <2 x double>, ptr addrspace(1) %p
  store volatile <2 x double> %y, ptr addrspace(1) %p
  store volatile <2 x double> %y, ptr addrspace(1) %p
  store volatile <2 x double> %x, ptr addrspace(1) %p
  ret void
}
