; An SM that is not in the table takes the resources of the nearest older one, and a
; remark says so once a module. Nobody is told unless they ask for remarks.
; RUN: %gpu -mcpu=sm_88 -pass-remarks-analysis=warpalloc %s -o %t.ptx 2>%t.88
; RUN: %FileCheck %s --check-prefix=SM88 --implicit-check-not="not known" <%t.88
; RUN: %gpu -mcpu=sm_101 -pass-remarks-analysis=warpalloc %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=SM101
; RUN: %gpu -pass-remarks-analysis=warpalloc %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=NONE
; RUN: %gpu -mcpu=sm_88 %s -o %t.ptx 2>%t.quiet
; RUN: count 0 <%t.quiet
; RUN: %gpu -mcpu=sm_121 -pass-remarks-analysis=warpalloc %s -o %t.ptx 2>%t.known
; RUN: not grep "not known" %t.known
; RUN: %gpu -mcpu=sm_88 -pass-remarks-output=%t.yaml %s -o %t.ptx
; RUN: %FileCheck %s --check-prefix=YAML <%t.yaml

; SM88:       remark: {{.*}}: the resources of sm_88 are not known; taking those of sm_87
; SM101:      remark: {{.*}}: the resources of sm_101 are not known; taking those of sm_100
; NONE:       remark: {{.*}}: the SM is not known; taking the resources of sm_70
; YAML:       --- !Analysis
; YAML-NEXT:  Pass: {{ *}}warpalloc
; YAML-NEXT:  Name: {{ *}}UnknownSM
; YAML-NEXT:  Function: {{ *}}first

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @first() {
  ret void
}

define ptx_kernel void @second() {
  ret void
}
