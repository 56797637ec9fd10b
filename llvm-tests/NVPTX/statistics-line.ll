; -print-regalloc-stats: one line a function on stderr, keys and numbers only, with
; every key that is promised; nothing on stdout but the PTX. A file that is not used
; has no keys.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o - 2>%t.stats | %FileCheck %s --check-prefix=PTX --implicit-check-not=warpalloc:
; RUN: %FileCheck %s --match-full-lines --strict-whitespace <%t.stats
; RUN: count 2 <%t.stats
; RUN: %gpu -mcpu=sm_90 %s -o %t.ptx 2>%t.quiet
; RUN: count 0 <%t.quiet

;      CHECK:warpalloc: function=both used.R=4 maxlive.R=4 budget.R=255 used.P=1 maxlive.P=1 budget.P=7 {{(.* )?}}spilled=0 stores=0 reloads=0 remats=0 coalesced=0 copies_left=0 rounds=1 spill_cost=0.00 values={{[0-9]+}} spill_rate=0.00 coloured=100.00{{( [a-z_.A-Z]+=[0-9.]+)*}}
; CHECK-NEXT:warpalloc: function=_ZN4nameC2Ev used.R=2 maxlive.R=2 budget.R=255 {{(.* )?}}spilled=0 stores=0 reloads=0 remats=0 coalesced=0 copies_left=0 rounds=1 spill_cost=0.00 values={{[0-9]+}} spill_rate=0.00 coloured=100.00{{( [a-z_.A-Z]+=[0-9.]+)*}}
; PTX:       .visible .entry both(

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @both(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %c = icmp eq i32 %x, %y
  %s = select i1 %c, i32 1, i32 2
  store volatile i32 %s, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @_ZN4nameC2Ev(ptr addrspace(1) %p) {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}
