; Inline assembly that names its operands in comments only is a place in the order
; of things: they need no registers of its own there, and it prints without them.
; RUN: %gpu -mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=16 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: %FileCheck %s <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

; STATS: function=wait used.R={{[0-9]+}}
; STATS: function=named used.R={{[0-9]+}}

target triple = "nvptx64-nvidia-cuda"

; All values are there before the place, and are added behind it.
; CHECK-LABEL: .visible .entry wait(
; CHECK:         ld.volatile.global.b32
; CHECK-NOT:     add.s32
; CHECK:         // begin inline asm
; CHECK-NOT:     wait for
; CHECK:         // end inline asm
; CHECK:         add.s32
; CHECK:         ret;
define ptx_kernel void @wait(ptr addrspace(1) %p) {
  %v0 = load volatile i32, ptr addrspace(1) %p
  %v1 = load volatile i32, ptr addrspace(1) %p
  %v2 = load volatile i32, ptr addrspace(1) %p
  %v3 = load volatile i32, ptr addrspace(1) %p
  %v4 = load volatile i32, ptr addrspace(1) %p
  %v5 = load volatile i32, ptr addrspace(1) %p
  %v6 = load volatile i32, ptr addrspace(1) %p
  %v7 = load volatile i32, ptr addrspace(1) %p
  %v8 = load volatile i32, ptr addrspace(1) %p
  %v9 = load volatile i32, ptr addrspace(1) %p
  %v10 = load volatile i32, ptr addrspace(1) %p
  %v11 = load volatile i32, ptr addrspace(1) %p
  %v12 = load volatile i32, ptr addrspace(1) %p
  %v13 = load volatile i32, ptr addrspace(1) %p
  %v14 = load volatile i32, ptr addrspace(1) %p
  %v15 = load volatile i32, ptr addrspace(1) %p
  %v16 = load volatile i32, ptr addrspace(1) %p
  %v17 = load volatile i32, ptr addrspace(1) %p
  %v18 = load volatile i32, ptr addrspace(1) %p
  %v19 = load volatile i32, ptr addrspace(1) %p
  %all = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// wait for $0,$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19"(i32 %v0, i32 %v1, i32 %v2, i32 %v3, i32 %v4, i32 %v5, i32 %v6, i32 %v7, i32 %v8, i32 %v9, i32 %v10, i32 %v11, i32 %v12, i32 %v13, i32 %v14, i32 %v15, i32 %v16, i32 %v17, i32 %v18, i32 %v19)
  %w0 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 0
  %w1 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 1
  %w2 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 2
  %w3 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 3
  %w4 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 4
  %w5 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 5
  %w6 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 6
  %w7 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 7
  %w8 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 8
  %w9 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 9
  %w10 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 10
  %w11 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 11
  %w12 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 12
  %w13 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 13
  %w14 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 14
  %w15 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 15
  %w16 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 16
  %w17 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 17
  %w18 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 18
  %w19 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %all, 19
  %s1 = add i32 %w0, %w1
  %s2 = add i32 %s1, %w2
  %s3 = add i32 %s2, %w3
  %s4 = add i32 %s3, %w4
  %s5 = add i32 %s4, %w5
  %s6 = add i32 %s5, %w6
  %s7 = add i32 %s6, %w7
  %s8 = add i32 %s7, %w8
  %s9 = add i32 %s8, %w9
  %s10 = add i32 %s9, %w10
  %s11 = add i32 %s10, %w11
  %s12 = add i32 %s11, %w12
  %s13 = add i32 %s12, %w13
  %s14 = add i32 %s13, %w14
  %s15 = add i32 %s14, %w15
  %s16 = add i32 %s15, %w16
  %s17 = add i32 %s16, %w17
  %s18 = add i32 %s17, %w18
  %s19 = add i32 %s18, %w19
  store volatile i32 %s19, ptr addrspace(1) %p
  ret void
}

; What a statement names stays, under a number of its own.
; CHECK-LABEL: .visible .entry named(
; CHECK:         ld.volatile.global.b32 [[X:%r[0-9]+]],
; CHECK:         ld.volatile.global.b32 [[Y:%r[0-9]+]],
; CHECK:         // begin inline asm
; CHECK-NEXT:    add.s32 [[Y]], [[Y]], 1;
; CHECK-NEXT:    // end inline asm
; CHECK:         st.volatile.global.b32 {{.*}}, [[X]];
; CHECK-NEXT:    st.volatile.global.b32 {{.*}}, [[Y]];
define ptx_kernel void @named(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %r = call { i32, i32 } asm sideeffect "/* $0 */add.s32 $1, $3, 1;", "=r,=r,0,1"(i32 %x, i32 %y)
  %a = extractvalue { i32, i32 } %r, 0
  %b = extractvalue { i32, i32 } %r, 1
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  ret void
}
