; What lives across a call must be in registers that survive one, which only some do: by
; the convention that ptxas keeps to, 40 values need 85 registers and two that it reports
; besides. A function that is called saves what it uses of them, and has its argument, an
; address that a kernel finds among its constants, in two more. Knob 649 leaves that out.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats -warpalloc-knob=649=0 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=WITHOUT
; RUN: %if ptxas %{ %ptxas -c -v -arch=sm_90 -o %t.cubin %t.ptx 2>&1 | %FileCheck %s --check-prefix=PTXAS %}

; CHECK:        function=device {{.*}}regs=89 {{.*}} saved=42{{$}}
; CHECK-NEXT:   function=kernel {{.*}}regs=87
; CHECK-NOT:    saved
; WITHOUT:      function=device {{.*}}regs=46
; WITHOUT-NOT:  saved
; WITHOUT:      function=kernel {{.*}}regs=44
; PTXAS:        Compiling entry function 'kernel'
; PTXAS:        Used 87 registers

target triple = "nvptx64-nvidia-cuda"

declare void @external()

define void @device(ptr addrspace(1) %p) {
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
  %v20 = load volatile i32, ptr addrspace(1) %p
  %v21 = load volatile i32, ptr addrspace(1) %p
  %v22 = load volatile i32, ptr addrspace(1) %p
  %v23 = load volatile i32, ptr addrspace(1) %p
  %v24 = load volatile i32, ptr addrspace(1) %p
  %v25 = load volatile i32, ptr addrspace(1) %p
  %v26 = load volatile i32, ptr addrspace(1) %p
  %v27 = load volatile i32, ptr addrspace(1) %p
  %v28 = load volatile i32, ptr addrspace(1) %p
  %v29 = load volatile i32, ptr addrspace(1) %p
  %v30 = load volatile i32, ptr addrspace(1) %p
  %v31 = load volatile i32, ptr addrspace(1) %p
  %v32 = load volatile i32, ptr addrspace(1) %p
  %v33 = load volatile i32, ptr addrspace(1) %p
  %v34 = load volatile i32, ptr addrspace(1) %p
  %v35 = load volatile i32, ptr addrspace(1) %p
  %v36 = load volatile i32, ptr addrspace(1) %p
  %v37 = load volatile i32, ptr addrspace(1) %p
  %v38 = load volatile i32, ptr addrspace(1) %p
  %v39 = load volatile i32, ptr addrspace(1) %p
  call void @external()
  store volatile i32 %v0, ptr addrspace(1) %p
  store volatile i32 %v1, ptr addrspace(1) %p
  store volatile i32 %v2, ptr addrspace(1) %p
  store volatile i32 %v3, ptr addrspace(1) %p
  store volatile i32 %v4, ptr addrspace(1) %p
  store volatile i32 %v5, ptr addrspace(1) %p
  store volatile i32 %v6, ptr addrspace(1) %p
  store volatile i32 %v7, ptr addrspace(1) %p
  store volatile i32 %v8, ptr addrspace(1) %p
  store volatile i32 %v9, ptr addrspace(1) %p
  store volatile i32 %v10, ptr addrspace(1) %p
  store volatile i32 %v11, ptr addrspace(1) %p
  store volatile i32 %v12, ptr addrspace(1) %p
  store volatile i32 %v13, ptr addrspace(1) %p
  store volatile i32 %v14, ptr addrspace(1) %p
  store volatile i32 %v15, ptr addrspace(1) %p
  store volatile i32 %v16, ptr addrspace(1) %p
  store volatile i32 %v17, ptr addrspace(1) %p
  store volatile i32 %v18, ptr addrspace(1) %p
  store volatile i32 %v19, ptr addrspace(1) %p
  store volatile i32 %v20, ptr addrspace(1) %p
  store volatile i32 %v21, ptr addrspace(1) %p
  store volatile i32 %v22, ptr addrspace(1) %p
  store volatile i32 %v23, ptr addrspace(1) %p
  store volatile i32 %v24, ptr addrspace(1) %p
  store volatile i32 %v25, ptr addrspace(1) %p
  store volatile i32 %v26, ptr addrspace(1) %p
  store volatile i32 %v27, ptr addrspace(1) %p
  store volatile i32 %v28, ptr addrspace(1) %p
  store volatile i32 %v29, ptr addrspace(1) %p
  store volatile i32 %v30, ptr addrspace(1) %p
  store volatile i32 %v31, ptr addrspace(1) %p
  store volatile i32 %v32, ptr addrspace(1) %p
  store volatile i32 %v33, ptr addrspace(1) %p
  store volatile i32 %v34, ptr addrspace(1) %p
  store volatile i32 %v35, ptr addrspace(1) %p
  store volatile i32 %v36, ptr addrspace(1) %p
  store volatile i32 %v37, ptr addrspace(1) %p
  store volatile i32 %v38, ptr addrspace(1) %p
  store volatile i32 %v39, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @kernel(ptr addrspace(1) %p) {
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
  %v20 = load volatile i32, ptr addrspace(1) %p
  %v21 = load volatile i32, ptr addrspace(1) %p
  %v22 = load volatile i32, ptr addrspace(1) %p
  %v23 = load volatile i32, ptr addrspace(1) %p
  %v24 = load volatile i32, ptr addrspace(1) %p
  %v25 = load volatile i32, ptr addrspace(1) %p
  %v26 = load volatile i32, ptr addrspace(1) %p
  %v27 = load volatile i32, ptr addrspace(1) %p
  %v28 = load volatile i32, ptr addrspace(1) %p
  %v29 = load volatile i32, ptr addrspace(1) %p
  %v30 = load volatile i32, ptr addrspace(1) %p
  %v31 = load volatile i32, ptr addrspace(1) %p
  %v32 = load volatile i32, ptr addrspace(1) %p
  %v33 = load volatile i32, ptr addrspace(1) %p
  %v34 = load volatile i32, ptr addrspace(1) %p
  %v35 = load volatile i32, ptr addrspace(1) %p
  %v36 = load volatile i32, ptr addrspace(1) %p
  %v37 = load volatile i32, ptr addrspace(1) %p
  %v38 = load volatile i32, ptr addrspace(1) %p
  %v39 = load volatile i32, ptr addrspace(1) %p
  call void @external()
  store volatile i32 %v0, ptr addrspace(1) %p
  store volatile i32 %v1, ptr addrspace(1) %p
  store volatile i32 %v2, ptr addrspace(1) %p
  store volatile i32 %v3, ptr addrspace(1) %p
  store volatile i32 %v4, ptr addrspace(1) %p
  store volatile i32 %v5, ptr addrspace(1) %p
  store volatile i32 %v6, ptr addrspace(1) %p
  store volatile i32 %v7, ptr addrspace(1) %p
  store volatile i32 %v8, ptr addrspace(1) %p
  store volatile i32 %v9, ptr addrspace(1) %p
  store volatile i32 %v10, ptr addrspace(1) %p
  store volatile i32 %v11, ptr addrspace(1) %p
  store volatile i32 %v12, ptr addrspace(1) %p
  store volatile i32 %v13, ptr addrspace(1) %p
  store volatile i32 %v14, ptr addrspace(1) %p
  store volatile i32 %v15, ptr addrspace(1) %p
  store volatile i32 %v16, ptr addrspace(1) %p
  store volatile i32 %v17, ptr addrspace(1) %p
  store volatile i32 %v18, ptr addrspace(1) %p
  store volatile i32 %v19, ptr addrspace(1) %p
  store volatile i32 %v20, ptr addrspace(1) %p
  store volatile i32 %v21, ptr addrspace(1) %p
  store volatile i32 %v22, ptr addrspace(1) %p
  store volatile i32 %v23, ptr addrspace(1) %p
  store volatile i32 %v24, ptr addrspace(1) %p
  store volatile i32 %v25, ptr addrspace(1) %p
  store volatile i32 %v26, ptr addrspace(1) %p
  store volatile i32 %v27, ptr addrspace(1) %p
  store volatile i32 %v28, ptr addrspace(1) %p
  store volatile i32 %v29, ptr addrspace(1) %p
  store volatile i32 %v30, ptr addrspace(1) %p
  store volatile i32 %v31, ptr addrspace(1) %p
  store volatile i32 %v32, ptr addrspace(1) %p
  store volatile i32 %v33, ptr addrspace(1) %p
  store volatile i32 %v34, ptr addrspace(1) %p
  store volatile i32 %v35, ptr addrspace(1) %p
  store volatile i32 %v36, ptr addrspace(1) %p
  store volatile i32 %v37, ptr addrspace(1) %p
  store volatile i32 %v38, ptr addrspace(1) %p
  store volatile i32 %v39, ptr addrspace(1) %p
  ret void
}
