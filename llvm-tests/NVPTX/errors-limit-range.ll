; A pressure limit that no GPU has is an error: exit code 1, nothing written.
; RUN: rm -f %t.ptx
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=0 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=ZERO
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=256 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=LARGE
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=4294967295 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=HUGE
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=-1 %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=NEGATIVE
; RUN: %not %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=many %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=WORD
; RUN: %not test -f %t.ptx
; RUN: %gpu -mcpu=sm_90 -nvptx-regalloc-pressure-limit=255 %s -o %t.ptx
; RUN: test -f %t.ptx

; ZERO:     error: warpalloc: in function 'k': -nvptx-regalloc-pressure-limit=0 is not between 1 and 255
; LARGE:    error: warpalloc: in function 'k': -nvptx-regalloc-pressure-limit=256 is not between 1 and 255
; HUGE:     error: warpalloc: in function 'k': -nvptx-regalloc-pressure-limit=4294967295 is not between 1 and 255
; NEGATIVE: for the --nvptx-regalloc-pressure-limit option: '-1' value invalid for uint argument!
; WORD:     for the --nvptx-regalloc-pressure-limit option: 'many' value invalid for uint argument!

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}
