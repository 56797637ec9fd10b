; With -warpalloc-spill-space=shared the spill slots of a kernel of known block size lie in
; shared memory: a column for each slot, with neighbouring threads side by side.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=12 -warpalloc-spill-space=shared -print-regalloc-stats %s -o %t.ptx 2>%t.err
; RUN: %FileCheck %s <%t.ptx
; RUN: %FileCheck %s --check-prefix=STATS <%t.err
; RUN: %if ptxas %{ %ptxas -v -arch=sm_90 -o %t.cubin %t.ptx 2>&1 | %FileCheck %s --check-prefix=PTXAS %}
; One register with the number of the thread serves all strides before sm_90.
; RUN: %gpu -mcpu=sm_80 -nvptx-regalloc-pressure-limit=12 -warpalloc-spill-space=shared %s -o %t.80.ptx
; RUN: %FileCheck %s --check-prefix=SCALED <%t.80.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.80.ptx %}
; The knob of ptxas' allocator is the same.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=12 -warpalloc-knob=619=1 %s -o %t.knob.ptx
; RUN: cmp %t.ptx %t.knob.ptx
; Without the option, and with its default, nothing of it is there.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=12 -warpalloc-spill-space=local %s -o %t.local.ptx
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=12 %s -o %t.none.ptx
; RUN: cmp %t.local.ptx %t.none.ptx
; RUN: %FileCheck %s --check-prefix=LOCAL <%t.none.ptx
; RUN: %not %llc -regalloc=warpalloc -mcpu=sm_90 -warpalloc-spill-space=global %s -o %t.bad.ptx 2>&1 | %FileCheck %s --check-prefix=BAD

; LOCAL-NOT: spill_space
; LOCAL:     st.local
; LOCAL-NOT: spill_space
; BAD: error: warpalloc: in function 'required': -warpalloc-spill-space: unknown spill space 'global'; it can be one of: local, shared

target triple = "nvptx64-nvidia-cuda"

; The block is known to have one dimension; what belongs together goes by one instruction.
; CHECK-LABEL: .entry required(
; CHECK-NOT:   __local_depot
; CHECK:       .shared .align 16 .b8 warpalloc_spill_space[2048];
; CHECK:       mov.b32 space, warpalloc_spill_space;
; CHECK-NEXT:  mov.u32 thread, %tid.x;
; CHECK-NEXT:  mad.lo.u32 [[ADDRESS:%r[0-9]+]], thread, 16, space;
; CHECK-NEXT:  }
; CHECK:       asm one
; CHECK:       st.shared.v4.b32 {{\[}}[[ADDRESS]]], {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}};
; CHECK:       asm wide
; CHECK:       ld.shared.v4.b32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, {{\[}}[[ADDRESS]]];
; CHECK:       asm read
; CHECK-NOT:   local
; STATS:       function=required {{.*}}budget.R=11 {{.*}}stores=4 reloads=8 {{.*}}vectors=3 shared_slots=4 shared_bytes=2048
; PTXAS-DAG:   Compiling entry function 'required'
; PTXAS-DAG:   2048 bytes smem
define ptx_kernel void @required() "nvvm.reqntid"="128" {
  %a = call { i32, i32, i32, i32 } asm sideeffect "// asm one $0 $1 $2 $3", "=r,=r,=r,=r"()
  %a0 = extractvalue { i32, i32, i32, i32 } %a, 0
  %a1 = extractvalue { i32, i32, i32, i32 } %a, 1
  %a2 = extractvalue { i32, i32, i32, i32 } %a, 2
  %a3 = extractvalue { i32, i32, i32, i32 } %a, 3
  %w1 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// asm wide $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r"()
  call void asm sideeffect "// asm read $0 $1 $2 $3", "r,r,r,r"(i32 %a0, i32 %a1, i32 %a2, i32 %a3)
  %w2 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// asm wide $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r"()
  call void asm sideeffect "// asm read $0 $1 $2 $3", "r,r,r,r"(i32 %a0, i32 %a1, i32 %a2, i32 %a3)
  ret void
}

; Extents that are known are constants. Each value is read alone: four columns of words.
; CHECK-LABEL: .entry two_dimensions(
; CHECK:       warpalloc_spill_space[2048];
; CHECK:       mov.u32 thread, %tid.y;
; CHECK-NEXT:  mov.u32 place, %tid.x;
; CHECK-NEXT:  mad.lo.u32 thread, thread, 32, place;
; CHECK-NEXT:  mad.lo.u32 [[ADDRESS:%r[0-9]+]], thread, 4, space;
; CHECK-NOT:   .v2
; CHECK-DAG:   st.shared.b32 {{\[}}[[ADDRESS]]], %r
; CHECK-DAG:   st.shared.b32 {{\[}}[[ADDRESS]]+512], %r
; CHECK-DAG:   st.shared.b32 {{\[}}[[ADDRESS]]+1024], %r
; CHECK-DAG:   st.shared.b32 {{\[}}[[ADDRESS]]+1536], %r
; CHECK:       asm wide
; CHECK-NOT:   .v2
; CHECK:       ld.shared.b32 %r{{[0-9]+}}, {{\[}}[[ADDRESS]]
; CHECK:       bar.sync
; CHECK-NOT:   local
define ptx_kernel void @two_dimensions() "nvvm.reqntid"="32,4" {
  %a = call { i32, i32, i32, i32 } asm sideeffect "// asm one $0 $1 $2 $3", "=r,=r,=r,=r"()
  %a0 = extractvalue { i32, i32, i32, i32 } %a, 0
  %a1 = extractvalue { i32, i32, i32, i32 } %a, 1
  %a2 = extractvalue { i32, i32, i32, i32 } %a, 2
  %a3 = extractvalue { i32, i32, i32, i32 } %a, 3
  %w1 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// asm wide $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r"()
  call void asm sideeffect "// asm read $0", "r"(i32 %a2)
  call void asm sideeffect "// asm read $0", "r"(i32 %a0)
  call void asm sideeffect "// asm read $0", "r"(i32 %a3)
  call void asm sideeffect "// asm read $0", "r"(i32 %a1)
  %w2 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// asm wide $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r"()
  call void asm sideeffect "// asm read $0", "r"(i32 %a1)
  call void asm sideeffect "// asm read $0", "r"(i32 %a3)
  call void asm sideeffect "// asm read $0", "r"(i32 %a0)
  call void asm sideeffect "// asm read $0", "r"(i32 %a2)
  call void asm sideeffect "bar.sync 0;", "~{memory}"()
  ret void
}

; A bound says nothing of the block's dimensions. Values of 8 bytes have columns of their
; own.
; CHECK-LABEL: .entry bounded(
; CHECK:       warpalloc_spill_space[4096];
; CHECK:       mov.u32 thread, %tid.z;
; CHECK-NEXT:  mov.u32 place, %tid.y;
; CHECK-NEXT:  mov.u32 extent, %ntid.y;
; CHECK-NEXT:  mad.lo.u32 thread, thread, extent, place;
; CHECK-NEXT:  mov.u32 place, %tid.x;
; CHECK-NEXT:  mov.u32 extent, %ntid.x;
; CHECK-NEXT:  mad.lo.u32 thread, thread, extent, place;
; CHECK-NEXT:  mad.lo.u32 [[ADDRESS:%r[0-9]+]], thread, 8, space;
; CHECK-DAG:   st.shared.b64 {{\[}}[[ADDRESS]]], %rd
; CHECK-DAG:   st.shared.b64 {{\[}}[[ADDRESS]]+2048], %rd
; CHECK:       asm wide
; CHECK:       ld.shared.b64 %rd{{[0-9]+}}, {{\[}}[[ADDRESS]]
; SCALED-LABEL: .entry bounded(
; SCALED:       mad.lo.u32 %r{{[0-9]+}}, thread, 8, space;
define ptx_kernel void @bounded() "nvvm.maxntid"="256" {
  %a = call { i64, i64 } asm sideeffect "// asm one $0 $1", "=l,=l"()
  %a0 = extractvalue { i64, i64 } %a, 0
  %a1 = extractvalue { i64, i64 } %a, 1
  %w1 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// asm wide $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r"()
  call void asm sideeffect "// asm read $0", "l"(i64 %a1)
  call void asm sideeffect "// asm read $0", "l"(i64 %a0)
  %w2 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// asm wide $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r"()
  call void asm sideeffect "// asm read $0", "l"(i64 %a0)
  call void asm sideeffect "// asm read $0", "l"(i64 %a1)
  ret void
}

; With an array of its own the kernel has less room: 46 of the 48 KiB that can be declared
; are taken, which leaves four words for each of the 128 threads. What is used most gets
; them.
; CHECK-LABEL: .entry little_room(
; CHECK:       __local_depot{{[0-9]+}}[{{[0-9]+}}];
; CHECK:       .shared .align 4 .b8 own[47104];
; CHECK:       warpalloc_spill_space[2048];
; CHECK:       asm one
; CHECK-DAG:   st.local
; CHECK-DAG:   st.shared
; CHECK:       asm wide
; CHECK-NOT:   ld.local
; CHECK:       ld.shared
; CHECK-NOT:   ld.local
; CHECK:       asm often
; CHECK:       bra
; CHECK:       ld.local
; STATS:       function=little_room {{.*}}shared_slots=4 shared_bytes=2048
; PTXAS-DAG:   Compiling entry function 'little_room'
; PTXAS-DAG:   49152 bytes smem
@own = internal addrspace(3) global [47104 x i8] undef, align 4
define ptx_kernel void @little_room(i32 %n) "nvvm.reqntid"="128" {
  store volatile i8 1, ptr addrspace(3) @own
  %a = call { i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// asm one $0 $1 $2 $3 $4 $5 $6", "=r,=r,=r,=r,=r,=r,=r"()
  %a0 = extractvalue { i32, i32, i32, i32, i32, i32, i32 } %a, 0
  %a1 = extractvalue { i32, i32, i32, i32, i32, i32, i32 } %a, 1
  %a2 = extractvalue { i32, i32, i32, i32, i32, i32, i32 } %a, 2
  %a3 = extractvalue { i32, i32, i32, i32, i32, i32, i32 } %a, 3
  %a4 = extractvalue { i32, i32, i32, i32, i32, i32, i32 } %a, 4
  %a5 = extractvalue { i32, i32, i32, i32, i32, i32, i32 } %a, 5
  %a6 = extractvalue { i32, i32, i32, i32, i32, i32, i32 } %a, 6
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %w1 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// asm wide $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r"()
  call void asm sideeffect "// asm often $0 $1 $2 $3", "r,r,r,r"(i32 %a1, i32 %a2, i32 %a3, i32 %a4)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  call void asm sideeffect "// asm read $0", "r"(i32 %a0)
  call void asm sideeffect "// asm read $0", "r"(i32 %a5)
  call void asm sideeffect "// asm read $0", "r"(i32 %a6)
  ret void
}
