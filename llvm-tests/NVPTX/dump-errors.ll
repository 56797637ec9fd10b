; A dump that cannot be written is an error. A dump that is malformed is refused by
; the command line tool with file, line and column, and exit code 1.
; RUN: rm -rf %t && mkdir %t
; RUN: touch %t/file
; RUN: %not %gpu -mcpu=sm_90 -warpalloc-dump=%t/file/dump %s -o %t/k.ptx 2>&1 | %FileCheck %s --check-prefix=WRITE
; RUN: %not test -f %t/k.ptx
; WRITE: error: warpalloc: in function 'k': cannot write the dump {{.*}}file{{.}}dump{{.}}k.warp: Not a directory

; RUN: %gpu -mcpu=sm_90 -warpalloc-dump=%t/dump %s -o %t/k.ptx
; RUN: %warpalloc_cli check %t/dump/k.warp >%t/good.warp

; RUN: sed 's/B32/B33/' %t/good.warp >%t/class.warp
; RUN: %not %warpalloc_cli check %t/class.warp 2>&1 | %FileCheck %s --check-prefix=CLASS
; CLASS: {{.*}}class.warp:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}B33

; RUN: sed 's/op v1, v0/op v1, v9/' %t/good.warp >%t/value.warp
; RUN: %not %warpalloc_cli check %t/value.warp 2>&1 | %FileCheck %s --check-prefix=VALUE
; VALUE: {{.*}}value.warp:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}v9

; RUN: sed 's/^block .*/block b0 frequency=often depth=0/' %t/good.warp >%t/number.warp
; RUN: %not %warpalloc_cli replay %t/number.warp 2>&1 | %FileCheck %s --check-prefix=NUMBER
; NUMBER: {{.*}}number.warp:{{[0-9]+}}:{{[0-9]+}}: error:

; RUN: sed 's/"sm":90/"sm":"new"/' %t/good.warp >%t/input.warp
; RUN: %not %warpalloc_cli replay %t/input.warp 2>&1 | %FileCheck %s --check-prefix=INPUT
; INPUT: {{.*}}input.warp:2:{{[0-9]+}}: error: {{.*}}u32

; RUN: sed 's/^settings {/settings {"no_such_setting":1,/' %t/good.warp >%t/setting.warp
; RUN: %not %warpalloc_cli replay %t/setting.warp 2>&1 | %FileCheck %s --check-prefix=SETTING
; SETTING: {{.*}}setting.warp:1:{{[0-9]+}}: error: {{.*}}no_such_setting

; RUN: echo nonsense >%t/nonsense.warp
; RUN: %not %warpalloc_cli check %t/nonsense.warp 2>&1 | %FileCheck %s --check-prefix=NONSENSE
; NONSENSE: {{.*}}nonsense.warp:1:1: error:

; RUN: %not %warpalloc_cli check %t/missing.warp 2>&1 | %FileCheck %s --check-prefix=MISSING
; MISSING: {{.*}}missing.warp: error: No such file or directory

; The other files are still read.
; RUN: %not %warpalloc_cli replay %t/missing.warp %t/good.warp 2>/dev/null | %FileCheck %s --check-prefix=OTHER
; OTHER: warpalloc: function=k used.R=3

; RUN: %not %warpalloc_cli replay --pressure-limit=2 %t/good.warp 2>&1 | %FileCheck %s --check-prefix=BUDGET
; BUDGET: {{.*}}good.warp: error: function k: the R budget of 2 registers is too small: instruction 2 alone needs 3

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) {
  %x = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  ret void
}
