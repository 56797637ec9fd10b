; Values that are spilled and reloaded together go to neighbouring slots, by one vector
; instruction; slots of values that are not needed at the same time share a place.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=12 -print-regalloc-stats %s -o %t.ptx 2>%t.err
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.err
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=12 -warpalloc-disable=vectors %s -o %t.single
; RUN: %FileCheck %s --check-prefix=SINGLE <%t.single
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=12 -warpalloc-disable=share-slots %s -o %t.apart
; RUN: %FileCheck %s --check-prefix=APART <%t.apart

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry together(
; CHECK:       .local .align 16 .b8 __local_depot0[16];
; CHECK:       asm one
; CHECK:       st.local.v4.b32 [%SPL], {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}};
; CHECK:       asm wide
; CHECK:       ld.local.v4.b32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [%SPL];
; CHECK:       asm read
; CHECK:       asm two
; CHECK:       st.local.v4.b32 [%SPL], {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}};
; CHECK:       ld.local.v4.b32
; STATS:       function=together {{.*}}stores=8 reloads=8 {{.*}}vectors=4
; SINGLE-NOT:  .v4
; SINGLE:      __local_depot0[16];
; SINGLE-COUNT-8: st.local.b32
; APART:       __local_depot0[32];
define ptx_kernel void @together() {
  %a = call { i32, i32, i32, i32 } asm sideeffect "// asm one $0 $1 $2 $3", "=r,=r,=r,=r"()
  %a0 = extractvalue { i32, i32, i32, i32 } %a, 0
  %a1 = extractvalue { i32, i32, i32, i32 } %a, 1
  %a2 = extractvalue { i32, i32, i32, i32 } %a, 2
  %a3 = extractvalue { i32, i32, i32, i32 } %a, 3
  call void asm sideeffect "// asm wide", "~{memory}"()
  %w = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// asm wide $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10 $11", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r"()
  call void asm sideeffect "// asm read $0 $1 $2 $3", "r,r,r,r"(i32 %a0, i32 %a1, i32 %a2, i32 %a3)
  %b = call { i32, i32, i32, i32 } asm sideeffect "// asm two $0 $1 $2 $3", "=r,=r,=r,=r"()
  %b0 = extractvalue { i32, i32, i32, i32 } %b, 0
  %b1 = extractvalue { i32, i32, i32, i32 } %b, 1
  %b2 = extractvalue { i32, i32, i32, i32 } %b, 2
  %b3 = extractvalue { i32, i32, i32, i32 } %b, 3
  %x = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// asm wide $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10 $11", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r"()
  call void asm sideeffect "// asm read $0 $1 $2 $3", "r,r,r,r"(i32 %b0, i32 %b1, i32 %b2, i32 %b3)
  ret void
}
