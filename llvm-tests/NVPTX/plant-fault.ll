; For tests of tests: a fault is planted in a correct allocation, in the function
; that is named, and a line says what was done. Another function is left alone.
; RUN: %gpu -mcpu=sm_90 %s -o %t.good
; RUN: %gpu -mcpu=sm_90 -warpalloc-plant-fault=1 -warpalloc-plant-function=second %s -o %t.bad 2>%t.err
; RUN: %FileCheck %s --implicit-check-not=first --implicit-check-not=error <%t.err
; RUN: %not cmp -s %t.good %t.bad
; RUN: %gpu -mcpu=sm_90 -warpalloc-plant-fault=1 -warpalloc-plant-function=other %s -o %t.none
; RUN: cmp %t.good %t.none

; CHECK: warpalloc: function=second planted DropEdge: v{{[0-9]+}} from $R{{[0-9]+}} to $R{{[0-9]+}}, next to v{{[0-9]+}} (checker: rejected: {{.*}})

target triple = "nvptx64-nvidia-cuda"

define i32 @first(i32 %a, i32 %b) {
  %sum = add i32 %a, %b
  ret i32 %sum
}

define i32 @second(i32 %a, i32 %b) {
  %sum = mul i32 %a, %b
  %both = xor i32 %sum, %a
  %all = sub i32 %both, %b
  ret i32 %all
}
