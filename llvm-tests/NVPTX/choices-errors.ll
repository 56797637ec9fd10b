; What makes no sense in an attribute or a choices file is an error that says where it is,
; without output.

; RUN: split-file %s %t
; RUN: %not %gpu_plain %t/value.ll -o %t/o.ptx 2>&1 | %FileCheck %s --check-prefix=VALUE
; RUN: %not %gpu_plain %t/name.ll -o %t/o.ptx 2>&1 | %FileCheck %s --check-prefix=NAME
; RUN: %not %gpu_plain %t/flag.ll -o %t/o.ptx 2>&1 | %FileCheck %s --check-prefix=FLAG
; RUN: %not %gpu_plain %t/limit.ll -o %t/o.ptx 2>&1 | %FileCheck %s --check-prefix=LIMIT
; RUN: %not %llc -mcpu=sm_90 -warpalloc-prepare %t/flag.ll -o %t/o.ptx 2>&1 | %FileCheck %s --check-prefix=PREPARE
; RUN: %not %gpu_plain -warpalloc-choices=%t/none.json %t/k.ll -o %t/o.ptx 2>&1 | %FileCheck %s --check-prefix=MISSING
; RUN: %not %gpu_plain -warpalloc-choices=%t/broken.json %t/k.ll -o %t/o.ptx 2>&1 | %FileCheck %s --check-prefix=BROKEN
; RUN: %not %gpu_plain -warpalloc-choices=%t/key.json %t/k.ll -o %t/o.ptx 2>&1 | %FileCheck %s --check-prefix=KEY
; RUN: %not %gpu_plain -warpalloc-choices=%t/version.json %t/k.ll -o %t/o.ptx 2>&1 | %FileCheck %s --check-prefix=VERSION
; RUN: %not %gpu_plain -warpalloc-choices=%t/twice.json %t/k.ll -o %t/o.ptx 2>&1 | %FileCheck %s --check-prefix=TWICE
; RUN: %not %gpu_plain -warpalloc-choices=%t/option.json %t/k.ll -o %t/o.ptx 2>&1 | %FileCheck %s --check-prefix=OPTION
; RUN: %not %gpu_plain -warpalloc-choices=%t/chosen.json %t/k.ll -o %t/o.ptx 2>&1 | %FileCheck %s --check-prefix=CHOSEN
; RUN: %not %gpu_plain -warpalloc-choices=%t/gone.json %t/k.ll -o %t/o.ptx 2>&1 | %FileCheck %s --check-prefix=GONE
; RUN: %not test -f %t/o.ptx

; VALUE:   error: warpalloc: in function 'k': attribute "warpalloc-spills": unknown way to spill 'there'; it can be one of: auto, here, ptxas
; NAME:    error: warpalloc: in function 'k': unknown attribute "warpalloc-spill"; it can be one of: nvptx-regalloc-pressure-limit,
; FLAG:    error: warpalloc: in function 'k': attribute "warpalloc-stock"=maybe is not true or false
; LIMIT:   error: warpalloc: in function 'k': attribute "nvptx-regalloc-pressure-limit"=0 is not between 1 and 255
; PREPARE: warpalloc: '{{.*}}flag.ll': WarpallocExcludeOthersPass: in function 'k': attribute "warpalloc-stock"=maybe is not true or false
; MISSING: error: warpalloc: cannot read the choices file {{.*}}none.json: No such file or directory
; BROKEN:  error: warpalloc: {{.*}}broken.json: EOF while parsing a value at line 2
; KEY:     error: warpalloc: {{.*}}key.json: unknown field `option`, expected one of {{.*}} at line 2
; VERSION: error: warpalloc: {{.*}}version.json: version 9 of choices files is not known; this one reads version 1
; TWICE:   error: warpalloc: {{.*}}twice.json: two choices for 'k'
; OPTION:  error: warpalloc: {{.*}}option.json: the choice for 'elsewhere': unknown option 'budget'; it can be one of: pressure-limit,
; CHOSEN:  error: warpalloc: {{.*}}chosen.json: the choice for 'k': option 'pressure-limit'=many is not between 1 and 255
; GONE:    error: warpalloc: {{.*}}gone.json was made of '{{.*}}k.ll' and has a choice for 'gone', which is not defined there

; A file that serves several modules may name what is not in this one; so may one that was
; made of another.
; RUN: %gpu_plain -warpalloc-choices=%t/several.json -pass-remarks-missed=warpalloc %t/k.ll -o %t/several.ptx 2>&1 | %FileCheck %s --check-prefix=SEVERAL
; RUN: %gpu_plain -warpalloc-choices=%t/gone.json - <%t/k.ll -o %t/several.ptx 2>&1 | count 0

; SEVERAL: remark: <unknown>:0:0: {{.*}}several.json has a choice for 'gone', which this module does not define

; Without the allocator and without the passes over IR there is nobody who follows it.
; RUN: %llc -mcpu=sm_90 -warpalloc-choices=%t/none.json %t/k.ll -o %t/unused.ptx 2>&1 | %FileCheck %s --check-prefix=UNUSED
; UNUSED: warning: warpalloc: -warpalloc-choices has no effect without -regalloc=warpalloc

;--- value.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k() "warpalloc-spills"="there" {
  ret void
}
;--- name.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k() "warpalloc-spill"="here" {
  ret void
}
;--- flag.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k() "warpalloc-stock"="maybe" {
  ret void
}
;--- limit.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k() "nvptx-regalloc-pressure-limit"="0" {
  ret void
}
;--- k.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k() {
  ret void
}
;--- broken.json
{"version": 1,
;--- key.json
{"version": 1, "choices": [
  {"function": "k", "option": {}}
]}
;--- version.json
{"version": 9, "choices": []}
;--- twice.json
{"version": 1, "choices": [
  {"function": "k", "options": {}}, {"function": "k", "options": {}}
]}
;--- option.json
{"version": 1, "choices": [{"function": "elsewhere", "options": {"budget": 1}}]}
;--- chosen.json
{"version": 1, "choices": [{"function": "k", "options": {"pressure-limit": "many"}}]}
;--- gone.json
{"version": 1, "made_of": "k.ll", "choices": [{"function": "gone", "options": {}}]}
;--- several.json
{"version": 1, "choices": [{"function": "gone", "options": {}}]}
