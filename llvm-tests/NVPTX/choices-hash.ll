; A choice that was made for other code of the function is not followed, and a remark says so.
; The hash is of the code as it came: no option changes it.

; RUN: rm -rf %t && mkdir %t
; RUN: %gpu_plain -warpalloc-print-hashes %s -o %t/o.ptx 2>%t/hashes
; RUN: %gpu_plain -warpalloc-print-hashes -O1 -nvptx-regalloc-pressure-limit=32 %s -o %t/o.ptx 2>%t/again
; RUN: cmp %t/hashes %t/again
; RUN: %FileCheck %s --check-prefix=PRINTED <%t/hashes
; RUN: sed -E 's/.*function=(.) .*hash=(.*)/{"version": 1, "choices": [{"function": "\1", "hash": "\2", "options": {"pressure-limit": 40}}]}/' %t/hashes >%t/c.json
; RUN: %gpu_plain -warpalloc-choices=%t/c.json -pass-remarks-missed=warpalloc %s -o %t/followed.ptx 2>&1 | count 0
; RUN: grep 'maxnreg 40' %t/followed.ptx
; RUN: sed 's/i32 7/i32 8/' %s >%t/other.ll
; RUN: %gpu_plain -warpalloc-choices=%t/c.json -pass-remarks-missed=warpalloc %t/other.ll -o %t/stale.ptx 2>&1 | %FileCheck %s
; RUN: %not grep maxnreg %t/stale.ptx

; Names and lines are not code; which value an instruction reads is.
; RUN: sed 's/%%p/%%other/g; s/%%x/%%z/g' %s >%t/names.ll
; RUN: %gpu_plain -warpalloc-print-hashes %t/names.ll -o %t/o.ptx 2>%t/again
; RUN: cmp %t/hashes %t/again
; RUN: sed 's/sub i32 %%x, %%y/sub i32 %%y, %%x/' %s >%t/swapped.ll
; RUN: %gpu_plain -warpalloc-print-hashes %t/swapped.ll -o %t/o.ptx 2>%t/again
; RUN: not cmp %t/hashes %t/again

; PRINTED: warpalloc: function=k processor=sm_90 hash={{[0-9a-f]+$}}
; CHECK:   remark: <unknown>:0:0: {{.*}}c.json has a choice for 'k' that was made for other code, and is not followed; the hash of this code is {{[0-9a-f]+$}}

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  %d = sub i32 %x, %y
  store volatile i32 %d, ptr addrspace(1) %p
  store volatile i32 7, ptr addrspace(1) %p
  ret void
}
