; A device function has the lowest budget of the kernels that reach it: through other
; functions, through recursion, and through pointers, by which every kernel that calls
; one may reach what has its address taken. What nobody reaches has its own bounds.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats -nvptx-regalloc-occupancy-target=75 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=TARGET
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats -nvptx-regalloc-pressure-limit=36 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=LIMIT
; RUN: %gpu -mcpu=sm_90 -pass-remarks-analysis=warpalloc %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=REMARK

; CHECK:      function=leaf {{.*}}budget.R=40
; CHECK-NEXT: function=odd {{.*}}budget.R=64
; CHECK-NEXT: function=even {{.*}}budget.R=64
; CHECK-NEXT: function=pointed {{.*}}budget.R=48
; CHECK-NEXT: function=aliased {{.*}}budget.R=40
; CHECK-NEXT: function=lone {{.*}}budget.R=255

; 48 warps are six blocks of 256 threads, with 40 registers, or two of 1024, with 32.
; TARGET:      function=leaf {{.*}}budget.R=40
; TARGET-NEXT: function=odd {{.*}}budget.R=32
; TARGET-NEXT: function=even {{.*}}budget.R=32
; TARGET-NEXT: function=pointed {{.*}}budget.R=40
; TARGET-NEXT: function=aliased {{.*}}budget.R=40
; TARGET-NEXT: function=lone {{.*}}budget.R=40

; LIMIT:      function=leaf {{.*}}budget.R=36
; LIMIT-NEXT: function=odd {{.*}}budget.R=36

; REMARK:     'leaf' takes about {{.*}}; its budget is 40, from nvvm.maxnreg=40 of 'bounded', which reaches it
; REMARK:     'odd' takes about {{.*}}; its budget is 64, from nvvm.maxntid=1024 of 'large', which reaches it
; REMARK:     'lone' takes about {{.*}}; its budget is 255, from the register file

target triple = "nvptx64-nvidia-cuda"

@other = alias void (ptr addrspace(1)), ptr @aliased

define void @leaf(ptr addrspace(1) %p) noinline {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

define void @odd(ptr addrspace(1) %p, i32 %n) noinline {
  %value = load volatile i32, ptr addrspace(1) %p
  call void @even(ptr addrspace(1) %p, i32 %n)
  store volatile i32 %value, ptr addrspace(1) %p
  ret void
}

define void @even(ptr addrspace(1) %p, i32 %n) noinline {
entry:
  %more = icmp sgt i32 %n, 0
  br i1 %more, label %again, label %done
again:
  %next = sub i32 %n, 1
  call void @odd(ptr addrspace(1) %p, i32 %next)
  store volatile i32 %n, ptr addrspace(1) %p
  ret void
done:
  ret void
}

define void @pointed(ptr addrspace(1) %p) noinline {
  store volatile i32 2, ptr addrspace(1) %p
  ret void
}

define void @aliased(ptr addrspace(1) %p) noinline {
  store volatile i32 2, ptr addrspace(1) %p
  ret void
}

define void @lone(ptr addrspace(1) %p) noinline {
  store volatile i32 3, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @large(ptr addrspace(1) %p, i32 %n) "nvvm.maxntid"="1024" {
  call void @odd(ptr addrspace(1) %p, i32 %n)
  ret void
}

define ptx_kernel void @bounded(ptr addrspace(1) %p) "nvvm.maxnreg"="40" {
  call void @leaf(ptr addrspace(1) %p)
  call void @other(ptr addrspace(1) %p)
  ret void
}

define ptx_kernel void @free(ptr addrspace(1) %p) {
  call void @leaf(ptr addrspace(1) %p)
  ret void
}

define ptx_kernel void @chooses(ptr addrspace(1) %p, i1 %c) "nvvm.maxnreg"="48" {
  %callee = select i1 %c, ptr @pointed, ptr null
  call void %callee(ptr addrspace(1) %p)
  ret void
}
