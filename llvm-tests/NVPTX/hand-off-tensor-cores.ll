; A budget is handed on as it was asked for, or as the lowest bound that ptxas keeps. That is
; 24 registers on sm_80 and later, and more where an instruction of the tensor cores takes its
; matrices in runs of registers: less ptxas refuses. A remark says so. Text that is a comment
; takes none, whatever is tied to it.
; RUN: %gpu -mcpu=sm_90a -mattr=+ptx88 -nvptx-regalloc-pressure-limit=24 -pass-remarks-analysis=warpalloc -print-regalloc-stats %s -o %t.ptx 2>%t.err
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=SAID <%t.err
; RUN: %if ptxas %{ %ptxas -arch=sm_90a -v -o %t.cubin %t.ptx 2>&1 | %FileCheck %s --check-prefix=PTXAS %}
; One less, and ptxas refuses what it was given.
; RUN: sed "s/.maxnreg 34/.maxnreg 33/" %t.ptx >%t.less.ptx
; RUN: %if ptxas %{ %not %ptxas -arch=sm_90a -o %t.cubin %t.less.ptx 2>&1 | %FileCheck %s --check-prefix=REFUSED %}
; RUN: sed "s/.maxnreg 28/.maxnreg 27/" %t.ptx >%t.less.ptx
; RUN: %if ptxas %{ %not %ptxas -arch=sm_90a -o %t.cubin %t.less.ptx 2>&1 | %FileCheck %s --check-prefix=REFUSED %}
; With less than it keeps nothing is promised that it does not keep.
; RUN: %gpu -mcpu=sm_90a -mattr=+ptx88 -nvptx-regalloc-pressure-limit=22 -pass-remarks-analysis=warpalloc %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=LOW

; SAID-DAG: 'warpgroup' takes about {{[0-9]+}} registers a thread{{.*}}; its budget is 24, from -nvptx-regalloc-pressure-limit=24; ptxas keeps no bound below 34
; SAID-DAG: 'warp' takes about {{[0-9]+}} registers a thread{{.*}}; its budget is 24, from -nvptx-regalloc-pressure-limit=24; ptxas keeps no bound below 28
; SAID-DAG: 'comment' takes about {{[0-9]+}} registers a thread{{.*}}; its budget is 24, from -nvptx-regalloc-pressure-limit=24{{$}}
; LOW:      'comment' takes about {{[0-9]+}} registers a thread{{.*}}; its budget is 22, from -nvptx-regalloc-pressure-limit=22; ptxas keeps no bound below 24
; PTXAS-NOT: {{warning|error|fatal}}
; PTXAS:    Used
; REFUSED:  Insufficient registers

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry warpgroup(
; CHECK:         .maxnreg 34
define ptx_kernel void @warpgroup(ptr addrspace(1) %p, i64 %x, i64 %y) {
  %a0 = load volatile float, ptr addrspace(1) %p
  %a1 = load volatile float, ptr addrspace(1) %p
  %a2 = load volatile float, ptr addrspace(1) %p
  %a3 = load volatile float, ptr addrspace(1) %p
  %a4 = load volatile float, ptr addrspace(1) %p
  %a5 = load volatile float, ptr addrspace(1) %p
  %a6 = load volatile float, ptr addrspace(1) %p
  %a7 = load volatile float, ptr addrspace(1) %p
  %r = call { float, float, float, float, float, float, float, float } asm sideeffect "{ wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $8, $9, 1, 1, 1, 0, 0; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7"(i64 %x, i64 %y, float %a0, float %a1, float %a2, float %a3, float %a4, float %a5, float %a6, float %a7)
  %s0 = extractvalue { float, float, float, float, float, float, float, float } %r, 0
  store volatile float %s0, ptr addrspace(1) %p
  %s1 = extractvalue { float, float, float, float, float, float, float, float } %r, 1
  store volatile float %s1, ptr addrspace(1) %p
  %s2 = extractvalue { float, float, float, float, float, float, float, float } %r, 2
  store volatile float %s2, ptr addrspace(1) %p
  %s3 = extractvalue { float, float, float, float, float, float, float, float } %r, 3
  store volatile float %s3, ptr addrspace(1) %p
  %s4 = extractvalue { float, float, float, float, float, float, float, float } %r, 4
  store volatile float %s4, ptr addrspace(1) %p
  %s5 = extractvalue { float, float, float, float, float, float, float, float } %r, 5
  store volatile float %s5, ptr addrspace(1) %p
  %s6 = extractvalue { float, float, float, float, float, float, float, float } %r, 6
  store volatile float %s6, ptr addrspace(1) %p
  %s7 = extractvalue { float, float, float, float, float, float, float, float } %r, 7
  store volatile float %s7, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .entry warp(
; CHECK:         .maxnreg 28
define ptx_kernel void @warp(ptr addrspace(1) %p) {
  %a0 = load volatile float, ptr addrspace(1) %p
  %a1 = load volatile float, ptr addrspace(1) %p
  %a2 = load volatile float, ptr addrspace(1) %p
  %a3 = load volatile float, ptr addrspace(1) %p
  %b0 = load volatile i32, ptr addrspace(1) %p
  %b1 = load volatile i32, ptr addrspace(1) %p
  %b2 = load volatile i32, ptr addrspace(1) %p
  %b3 = load volatile i32, ptr addrspace(1) %p
  %b4 = load volatile i32, ptr addrspace(1) %p
  %b5 = load volatile i32, ptr addrspace(1) %p
  %r = call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0,$1,$2,$3}, {$4,$5,$6,$7}, {$8,$9}, {$0,$1,$2,$3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"(i32 %b0, i32 %b1, i32 %b2, i32 %b3, i32 %b4, i32 %b5, float %a0, float %a1, float %a2, float %a3)
  %s0 = extractvalue { float, float, float, float } %r, 0
  store volatile float %s0, ptr addrspace(1) %p
  %s1 = extractvalue { float, float, float, float } %r, 1
  store volatile float %s1, ptr addrspace(1) %p
  %s2 = extractvalue { float, float, float, float } %r, 2
  store volatile float %s2, ptr addrspace(1) %p
  %s3 = extractvalue { float, float, float, float } %r, 3
  store volatile float %s3, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .entry comment(
; CHECK:         .maxnreg 24
define ptx_kernel void @comment(ptr addrspace(1) %p) {
  %a0 = load volatile i32, ptr addrspace(1) %p
  %a1 = load volatile i32, ptr addrspace(1) %p
  %a2 = load volatile i32, ptr addrspace(1) %p
  %a3 = load volatile i32, ptr addrspace(1) %p
  %a4 = load volatile i32, ptr addrspace(1) %p
  %a5 = load volatile i32, ptr addrspace(1) %p
  %a6 = load volatile i32, ptr addrspace(1) %p
  %a7 = load volatile i32, ptr addrspace(1) %p
  %a8 = load volatile i32, ptr addrspace(1) %p
  %a9 = load volatile i32, ptr addrspace(1) %p
  %a10 = load volatile i32, ptr addrspace(1) %p
  %a11 = load volatile i32, ptr addrspace(1) %p
  %a12 = load volatile i32, ptr addrspace(1) %p
  %a13 = load volatile i32, ptr addrspace(1) %p
  %a14 = load volatile i32, ptr addrspace(1) %p
  %a15 = load volatile i32, ptr addrspace(1) %p
  %a16 = load volatile i32, ptr addrspace(1) %p
  %a17 = load volatile i32, ptr addrspace(1) %p
  %a18 = load volatile i32, ptr addrspace(1) %p
  %a19 = load volatile i32, ptr addrspace(1) %p
  %r = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// wait for regs", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19"(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %a4, i32 %a5, i32 %a6, i32 %a7, i32 %a8, i32 %a9, i32 %a10, i32 %a11, i32 %a12, i32 %a13, i32 %a14, i32 %a15, i32 %a16, i32 %a17, i32 %a18, i32 %a19)
  %s0 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 0
  store volatile i32 %s0, ptr addrspace(1) %p
  %s1 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 1
  store volatile i32 %s1, ptr addrspace(1) %p
  %s2 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 2
  store volatile i32 %s2, ptr addrspace(1) %p
  %s3 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 3
  store volatile i32 %s3, ptr addrspace(1) %p
  %s4 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 4
  store volatile i32 %s4, ptr addrspace(1) %p
  %s5 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 5
  store volatile i32 %s5, ptr addrspace(1) %p
  %s6 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 6
  store volatile i32 %s6, ptr addrspace(1) %p
  %s7 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 7
  store volatile i32 %s7, ptr addrspace(1) %p
  %s8 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 8
  store volatile i32 %s8, ptr addrspace(1) %p
  %s9 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 9
  store volatile i32 %s9, ptr addrspace(1) %p
  %s10 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 10
  store volatile i32 %s10, ptr addrspace(1) %p
  %s11 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 11
  store volatile i32 %s11, ptr addrspace(1) %p
  %s12 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 12
  store volatile i32 %s12, ptr addrspace(1) %p
  %s13 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 13
  store volatile i32 %s13, ptr addrspace(1) %p
  %s14 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 14
  store volatile i32 %s14, ptr addrspace(1) %p
  %s15 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 15
  store volatile i32 %s15, ptr addrspace(1) %p
  %s16 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 16
  store volatile i32 %s16, ptr addrspace(1) %p
  %s17 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 17
  store volatile i32 %s17, ptr addrspace(1) %p
  %s18 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 18
  store volatile i32 %s18, ptr addrspace(1) %p
  %s19 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %r, 19
  store volatile i32 %s19, ptr addrspace(1) %p
  ret void
}
