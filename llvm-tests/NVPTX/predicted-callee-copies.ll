; What a kernel calls by name is a part of it in ptxas's code, where ptxas knows who calls: the
; registers of the function come on top of what lives across the call, and it saves none. Of what
; lives across a call of CUDA's system all survives as well, but for twenty registers.
; RUN: %gpu -mcpu=sm_90 -print-regalloc-stats %s -o %t.ptx 2>&1 | %FileCheck %s
; RUN: %if ptxas %{ %ptxas -v -arch=sm_90 -o %t.cubin %t.ptx 2>&1 | %FileCheck %s --check-prefix=PTXAS %}

; CHECK:      function=middle {{.*}}regs={{4[0-9]}}
; CHECK-NOT:  saved
; CHECK:      function=leaf {{.*}}regs={{4[0-9]}}
; CHECK-NOT:  saved
; CHECK:      function=named {{.*}}regs={{10[0-9]}}
; CHECK-NEXT: function=system {{.*}}regs={{8[0-9]}}
; PTXAS:      Compiling entry function 'system'
; PTXAS:      Used 8{{[0-9]}} registers
; PTXAS:      Compiling entry function 'named'
; PTXAS:      Used 10{{[0-9]}} registers

target triple = "nvptx64-nvidia-cuda"

declare i32 @vprintf(ptr, ptr)

define void @middle(ptr addrspace(1) %p) noinline {
  call void @leaf(ptr addrspace(1) %p)
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}

define void @leaf(ptr addrspace(1) %p) noinline {
  %v = load volatile <32 x i32>, ptr addrspace(1) %p
  %w = add <32 x i32> %v, splat (i32 1)
  store volatile <32 x i32> %w, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @named(ptr addrspace(1) %p) {
  %v = load volatile <64 x i32>, ptr addrspace(1) %p
  call void @middle(ptr addrspace(1) %p)
  %w = add <64 x i32> %v, splat (i32 1)
  store volatile <64 x i32> %w, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @system(ptr addrspace(1) %p) {
  %v = load volatile <64 x i32>, ptr addrspace(1) %p
  %r = call i32 @vprintf(ptr null, ptr null)
  %w = add <64 x i32> %v, splat (i32 1)
  store volatile <64 x i32> %w, ptr addrspace(1) %p
  ret void
}
