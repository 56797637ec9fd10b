; A panic in the allocator is an LLVM error that names the function and the place in
; the source; exit code 1, no backtrace, no crash, nothing written. Other functions
; are not concerned.
; RUN: rm -f %t.ptx
; RUN: %not %gpu -mcpu=sm_90 -warpalloc-plant-panic=second %s -o %t.ptx 2>%t.err
; RUN: %FileCheck %s --implicit-check-not=first --implicit-check-not=panicked --implicit-check-not=PLEASE <%t.err
; RUN: %not test -f %t.ptx
; RUN: %gpu -mcpu=sm_90 -warpalloc-plant-panic=third %s -o %t.ptx
; RUN: %FileCheck %s --check-prefix=GOOD <%t.ptx

; CHECK: error: warpalloc: in function 'second': internal error: planted panic (src/allocate.rs:{{[0-9]+}})
; GOOD:  .visible .entry second(

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @first() {
  ret void
}

define ptx_kernel void @second() {
  ret void
}
