; ptxas reports for a kernel what the function takes that needs most, of the kernel and all that
; it reaches. A kernel that comes before what it calls is reported when that has been compiled;
; through a pointer those may be called whose address is taken. What belongs to another module is
; not in what ptxas reports (see predicted-calls.ll).
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s
; RUN: %if ptxas %{ %ptxas -v -arch=sm_90 -o %t.cubin %t.ptx 2>&1 | %FileCheck %s --check-prefix=PTXAS %}

; CHECK:      function=before {{.*}}regs=[[LEAF:8[0-9]]]
; CHECK-NEXT: function=middle {{.*}}regs=[[LEAF]]
; CHECK-NEXT: function=leaf {{.*}}regs=[[LEAF]]
; CHECK-NEXT: function=even {{.*}}regs=[[EVEN:24]]
; CHECK-NEXT: function=odd {{.*}}regs=[[EVEN]]
; CHECK-NEXT: function=pointer {{.*}}regs=[[LEAF]]
; CHECK-NEXT: function=kernel {{.*}}regs={{8[0-9]}}
; CHECK-NOT:  function=

; PTXAS: Compiling entry function 'kernel'
; PTXAS: Used [[USED:8[0-9]|9[0-9]]] registers
; PTXAS: Compiling entry function 'before'
; PTXAS: Used [[USED]] registers

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @before(ptr addrspace(1) %p) {
  call void @middle(ptr addrspace(1) %p)
  store volatile i32 0, ptr addrspace(1) %p
  ret void
}

define void @middle(ptr addrspace(1) %p) noinline {
  call void @leaf(ptr addrspace(1) %p)
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

define void @leaf(ptr addrspace(1) %p) noinline {
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
  %v40 = load volatile i32, ptr addrspace(1) %p
  %v41 = load volatile i32, ptr addrspace(1) %p
  %v42 = load volatile i32, ptr addrspace(1) %p
  %v43 = load volatile i32, ptr addrspace(1) %p
  %v44 = load volatile i32, ptr addrspace(1) %p
  %v45 = load volatile i32, ptr addrspace(1) %p
  %v46 = load volatile i32, ptr addrspace(1) %p
  %v47 = load volatile i32, ptr addrspace(1) %p
  %v48 = load volatile i32, ptr addrspace(1) %p
  %v49 = load volatile i32, ptr addrspace(1) %p
  %v50 = load volatile i32, ptr addrspace(1) %p
  %v51 = load volatile i32, ptr addrspace(1) %p
  %v52 = load volatile i32, ptr addrspace(1) %p
  %v53 = load volatile i32, ptr addrspace(1) %p
  %v54 = load volatile i32, ptr addrspace(1) %p
  %v55 = load volatile i32, ptr addrspace(1) %p
  %v56 = load volatile i32, ptr addrspace(1) %p
  %v57 = load volatile i32, ptr addrspace(1) %p
  %v58 = load volatile i32, ptr addrspace(1) %p
  %v59 = load volatile i32, ptr addrspace(1) %p
  %v60 = load volatile i32, ptr addrspace(1) %p
  %v61 = load volatile i32, ptr addrspace(1) %p
  %v62 = load volatile i32, ptr addrspace(1) %p
  %v63 = load volatile i32, ptr addrspace(1) %p
  %v64 = load volatile i32, ptr addrspace(1) %p
  %v65 = load volatile i32, ptr addrspace(1) %p
  %v66 = load volatile i32, ptr addrspace(1) %p
  %v67 = load volatile i32, ptr addrspace(1) %p
  %v68 = load volatile i32, ptr addrspace(1) %p
  %v69 = load volatile i32, ptr addrspace(1) %p
  %v70 = load volatile i32, ptr addrspace(1) %p
  %v71 = load volatile i32, ptr addrspace(1) %p
  %v72 = load volatile i32, ptr addrspace(1) %p
  %v73 = load volatile i32, ptr addrspace(1) %p
  %v74 = load volatile i32, ptr addrspace(1) %p
  %v75 = load volatile i32, ptr addrspace(1) %p
  %v76 = load volatile i32, ptr addrspace(1) %p
  %v77 = load volatile i32, ptr addrspace(1) %p
  %v78 = load volatile i32, ptr addrspace(1) %p
  %v79 = load volatile i32, ptr addrspace(1) %p
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
  store volatile i32 %v40, ptr addrspace(1) %p
  store volatile i32 %v41, ptr addrspace(1) %p
  store volatile i32 %v42, ptr addrspace(1) %p
  store volatile i32 %v43, ptr addrspace(1) %p
  store volatile i32 %v44, ptr addrspace(1) %p
  store volatile i32 %v45, ptr addrspace(1) %p
  store volatile i32 %v46, ptr addrspace(1) %p
  store volatile i32 %v47, ptr addrspace(1) %p
  store volatile i32 %v48, ptr addrspace(1) %p
  store volatile i32 %v49, ptr addrspace(1) %p
  store volatile i32 %v50, ptr addrspace(1) %p
  store volatile i32 %v51, ptr addrspace(1) %p
  store volatile i32 %v52, ptr addrspace(1) %p
  store volatile i32 %v53, ptr addrspace(1) %p
  store volatile i32 %v54, ptr addrspace(1) %p
  store volatile i32 %v55, ptr addrspace(1) %p
  store volatile i32 %v56, ptr addrspace(1) %p
  store volatile i32 %v57, ptr addrspace(1) %p
  store volatile i32 %v58, ptr addrspace(1) %p
  store volatile i32 %v59, ptr addrspace(1) %p
  store volatile i32 %v60, ptr addrspace(1) %p
  store volatile i32 %v61, ptr addrspace(1) %p
  store volatile i32 %v62, ptr addrspace(1) %p
  store volatile i32 %v63, ptr addrspace(1) %p
  store volatile i32 %v64, ptr addrspace(1) %p
  store volatile i32 %v65, ptr addrspace(1) %p
  store volatile i32 %v66, ptr addrspace(1) %p
  store volatile i32 %v67, ptr addrspace(1) %p
  store volatile i32 %v68, ptr addrspace(1) %p
  store volatile i32 %v69, ptr addrspace(1) %p
  store volatile i32 %v70, ptr addrspace(1) %p
  store volatile i32 %v71, ptr addrspace(1) %p
  store volatile i32 %v72, ptr addrspace(1) %p
  store volatile i32 %v73, ptr addrspace(1) %p
  store volatile i32 %v74, ptr addrspace(1) %p
  store volatile i32 %v75, ptr addrspace(1) %p
  store volatile i32 %v76, ptr addrspace(1) %p
  store volatile i32 %v77, ptr addrspace(1) %p
  store volatile i32 %v78, ptr addrspace(1) %p
  store volatile i32 %v79, ptr addrspace(1) %p
  ret void
}

define void @even(ptr addrspace(1) %p, i32 %n) noinline {
  %more = icmp sgt i32 %n, 0
  br i1 %more, label %on, label %end

on:
  %less = sub i32 %n, 1
  call void @odd(ptr addrspace(1) %p, i32 %less)
  store volatile i32 %n, ptr addrspace(1) %p
  ret void

end:
  ret void
}

define void @odd(ptr addrspace(1) %p, i32 %n) noinline {
  call void @even(ptr addrspace(1) %p, i32 %n)
  store volatile i32 %n, ptr addrspace(1) %p
  ret void
}

define void @pointer(ptr addrspace(1) %p, ptr %called) noinline {
  call void %called(ptr addrspace(1) %p)
  store volatile i32 3, ptr addrspace(1) %p
  ret void
}

@table = addrspace(1) global ptr @leaf

define ptx_kernel void @kernel(ptr addrspace(1) %p) {
  %called = load ptr, ptr addrspace(1) @table
  call void @pointer(ptr addrspace(1) %p, ptr %called)
  call void %called(ptr addrspace(1) %p)
  ret void
}
