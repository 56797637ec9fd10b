; Options of single functions, by attributes and by a choices file, on a CPU: here the file
; cannot say 'stock', as nobody else gives registers.

; RUN: split-file %s %t
; RUN: %llc -regalloc=warpalloc -verify-regalloc -warpalloc-disable=coalesce,hints -warpalloc-dump=%t/dump -warpalloc-choices=%t/c.json %t/f.ll -o %t/f.s
; RUN: grep -E '^settings' %t/dump/plain.warp | FileCheck %s --check-prefix=PLAIN
; RUN: grep -E '^settings' %t/dump/chosen.warp | FileCheck %s --check-prefix=CHOSEN
; RUN: grep -E '^settings' %t/dump/own.warp | FileCheck %s --check-prefix=OWN
; RUN: %llc -regalloc=warpalloc -warpalloc-disable=coalesce,hints -warpalloc-choices=%t/c.json %t/f.ll -pass-remarks-missed=warpalloc -o %t/f.s 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: not %llc -regalloc=warpalloc -warpalloc-choices=%t/stock.json %t/f.ll -o %t/no.s 2>&1 | FileCheck %s --check-prefix=STOCK
; RUN: not %llc -regalloc=warpalloc %t/wrong.ll -o %t/no.s 2>&1 | FileCheck %s --check-prefix=WRONG
; RUN: not test -f %t/no.s

; What is as usual the dump leaves out: graph, here.
; PLAIN-NOT:   "select"
; PLAIN:       "disabled":["Coalesce","Hints","Tuples","TakeBack","EarlyReloads"]
; PLAIN-NOT:   "select"
; CHOSEN:      "disabled":["Coalesce","Tuples","TakeBack","EarlyReloads"]
; CHOSEN-SAME: "select":"FatPoint"
; OWN-NOT:     "select"
; OWN:         "order":"Lists"
; OWN-SAME:    "spill_limit":7
; OWN-NOT:     "select"
; REMARK: remark: {{.*}}c.json has a choice for 'elsewhere', which this module does not define
; STOCK:  error: warpalloc: in function 'plain': 'stock' is for NVPTX
; WRONG:  error: warpalloc: in function 'f': attribute "warpalloc-order": unknown order 'random'; it can be one of: lists, degrees

;--- c.json
{"version": 1, "choices": [
  {"function": "chosen", "options": {"select": "fatpoint", "enable": ["hints"]}},
  {"function": "own", "options": {"select": "fatpoint", "spill-limit": 7}},
  {"function": "elsewhere", "options": {}}
]}
;--- stock.json
{"version": 1, "choices": [{"function": "plain", "options": {"stock": true}}]}
;--- f.ll
target triple = "x86_64-unknown-linux-gnu"

define i32 @plain(i32 %a) {
  ret i32 %a
}

define i32 @chosen(i32 %a) {
  ret i32 %a
}

define i32 @own(i32 %a) "warpalloc-select"="graph" "warpalloc-order"="lists" {
  ret i32 %a
}
;--- wrong.ll
target triple = "x86_64-unknown-linux-gnu"

define i32 @f(i32 %a) "warpalloc-order"="random" {
  ret i32 %a
}
