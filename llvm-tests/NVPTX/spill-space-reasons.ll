; Why a function's spill slots stay in local memory although shared memory was asked for, and
; what is said of those that do not.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=12 -warpalloc-spill-space=shared -pass-remarks-missed=warpalloc -pass-remarks-analysis=warpalloc %s -o %t.ptx 2>%t.out
; RUN: grep -E "spill slots?" %t.out | %FileCheck %s
; RUN: %FileCheck %s --check-prefix=PTX <%t.ptx
; RUN: %if ptxas %{ %ptxas -c -arch=sm_90 -o %t.cubin %t.ptx %}
; Nobody hears of it without the option.
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=12 -pass-remarks-missed=warpalloc -pass-remarks-analysis=warpalloc %s -o %t.ptx 2>%t.out
; RUN: %not grep -E "spill slots?" %t.out

; PTX-COUNT-1: warpalloc_spill_space[
; PTX-NOT:     warpalloc_spill_space[

target triple = "nvptx64-nvidia-cuda"

declare void @callee()
@dynamic = external addrspace(3) global [0 x i8], align 16
@large = internal addrspace(3) global [49152 x i8] undef, align 4
@small = internal addrspace(3) global [64 x i32] undef, align 4

; CHECK:  the spill slots of 'device' stay in local memory: it is no kernel{{$}}
define void @device() "nvvm.reqntid"="128" {
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

; CHECK-NEXT: the spill slots of 'unbounded' stay in local memory: its block size is not known; __launch_bounds__ would tell{{$}}
define ptx_kernel void @unbounded() {
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

; CHECK-NEXT: the spill slots of 'calls' stay in local memory: it calls functions{{$}}
define ptx_kernel void @calls() "nvvm.reqntid"="128" {
  call void @callee()
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

; CHECK-NEXT: the spill slots of 'dynamic_array' stay in local memory: the launch decides how much shared memory it has{{$}}
define ptx_kernel void @dynamic_array() "nvvm.reqntid"="128" {
  store volatile i8 1, ptr addrspace(3) @dynamic
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

; CHECK-NEXT: the spill slots of 'assembly' stay in local memory: its inline assembly may use shared memory, too{{$}}
define ptx_kernel void @assembly() "nvvm.reqntid"="128" {
  call void asm sideeffect "{ .shared .b32 x; st.shared.b32 [x], 1; }", "~{memory}"()
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

; CHECK-NEXT: the spill slots of 'no_room' stay in local memory: 128 threads of a block would have 0 bytes without losing a resident block{{$}}
define ptx_kernel void @no_room() "nvvm.reqntid"="128" {
  store volatile i8 1, ptr addrspace(3) @large
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

; One store and one reload are cheaper than an address.
; CHECK-NEXT: the spill slots of 'few' stay in local memory: shared memory would not be cheaper{{$}}
define ptx_kernel void @few() "nvvm.reqntid"="128" {
  %a = call { i32, i32 } asm sideeffect "// asm one $0 $1", "=r,=r"()
  %a0 = extractvalue { i32, i32 } %a, 0
  %a1 = extractvalue { i32, i32 } %a, 1
  %w1 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// asm wide $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r"()
  call void asm sideeffect "// asm read $0 $1", "r,r"(i32 %a0, i32 %a1)
  ret void
}

; Barriers, memory of its own and threads that leave early are no reason.
; CHECK-NEXT: 4 of the 4 spill slots of 'good' are in shared memory: 2048 bytes for 128 threads of a block{{$}}
; CHECK-NOT:  spill slot
define ptx_kernel void @good(i1 %leave) "nvvm.reqntid"="128" {
  %a = call { i32, i32, i32, i32 } asm sideeffect "// asm one $0 $1 $2 $3", "=r,=r,=r,=r"()
  %a0 = extractvalue { i32, i32, i32, i32 } %a, 0
  %a1 = extractvalue { i32, i32, i32, i32 } %a, 1
  %a2 = extractvalue { i32, i32, i32, i32 } %a, 2
  %a3 = extractvalue { i32, i32, i32, i32 } %a, 3
  store volatile i32 %a0, ptr addrspace(3) @small
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %leave, label %end, label %rest
rest:
  %w1 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// asm wide $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r"()
  call void asm sideeffect "// asm read $0 $1 $2 $3", "r,r,r,r"(i32 %a0, i32 %a1, i32 %a2, i32 %a3)
  %w2 = call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "// asm wide $0 $1 $2 $3 $4 $5 $6 $7 $8 $9 $10", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r"()
  call void asm sideeffect "// asm read $0 $1 $2 $3", "r,r,r,r"(i32 %a0, i32 %a1, i32 %a2, i32 %a3)
  br label %end
end:
  ret void
}

; Nothing is spilled, nothing is said.
define ptx_kernel void @nothing() {
  ret void
}
