; Each option that changes code can be a function's own, as an attribute or in a choices file:
; the allocator gets the same settings as from the command line, which others do not get.
; What the dump holds are all settings and the code.

; RUN: rm -rf %t && mkdir %t
; RUN: %gpu_plain -warpalloc-dump=%t/base -nvptx-regalloc-pressure-limit=12 -warpalloc-spills=here %s -o %t/base.ptx

; RUN: sed 's/()/() "nvptx-regalloc-pressure-limit"="12" "warpalloc-spills"="ptxas"/' %s >%t/spills.ll
; RUN: echo '{"version": 1, "choices": [{"function": "k", "options": {"pressure-limit": 12, "spills": "ptxas"}}]}' >%t/spills.json
; RUN: %gpu_plain -warpalloc-dump=%t/spills.command -nvptx-regalloc-pressure-limit=12 -warpalloc-spills=ptxas %s -o %t/spills.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/spills.own %t/spills.ll -o %t/spills.own.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/spills.file -warpalloc-choices=%t/spills.json %s -o %t/spills.file.ptx
; RUN: cmp %t/spills.command/k.warp %t/spills.own/k.warp
; RUN: cmp %t/spills.command/k.warp %t/spills.file/k.warp
; RUN: %not cmp %t/spills.command/k.warp %t/base/k.warp
; RUN: cmp %t/spills.ptx %t/spills.own.ptx
; RUN: cmp %t/spills.ptx %t/spills.file.ptx

; RUN: sed 's/()/() "nvptx-regalloc-pressure-limit"="12" "warpalloc-spills"="here" "nvptx-regalloc-occupancy-target"="50"/' %s >%t/target.ll
; RUN: echo '{"version": 1, "choices": [{"function": "k", "options": {"pressure-limit": 12, "spills": "here", "occupancy-target": 50}}]}' >%t/target.json
; RUN: %gpu_plain -warpalloc-dump=%t/target.command -nvptx-regalloc-pressure-limit=12 -warpalloc-spills=here -nvptx-regalloc-occupancy-target=50 %s -o %t/target.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/target.own %t/target.ll -o %t/target.own.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/target.file -warpalloc-choices=%t/target.json %s -o %t/target.file.ptx
; RUN: cmp %t/target.command/k.warp %t/target.own/k.warp
; RUN: cmp %t/target.command/k.warp %t/target.file/k.warp
; RUN: %not cmp %t/target.command/k.warp %t/base/k.warp
; RUN: cmp %t/target.ptx %t/target.own.ptx
; RUN: cmp %t/target.ptx %t/target.file.ptx

; RUN: sed 's/()/() "nvptx-regalloc-pressure-limit"="12" "warpalloc-spills"="here" "nvptx-regalloc-coalescing-factor"="0.5"/' %s >%t/factor.ll
; RUN: echo '{"version": 1, "choices": [{"function": "k", "options": {"pressure-limit": 12, "spills": "here", "coalescing-factor": 0.5}}]}' >%t/factor.json
; RUN: %gpu_plain -warpalloc-dump=%t/factor.command -nvptx-regalloc-pressure-limit=12 -warpalloc-spills=here -nvptx-regalloc-coalescing-factor=0.5 %s -o %t/factor.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/factor.own %t/factor.ll -o %t/factor.own.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/factor.file -warpalloc-choices=%t/factor.json %s -o %t/factor.file.ptx
; RUN: cmp %t/factor.command/k.warp %t/factor.own/k.warp
; RUN: cmp %t/factor.command/k.warp %t/factor.file/k.warp
; RUN: %not cmp %t/factor.command/k.warp %t/base/k.warp
; RUN: cmp %t/factor.ptx %t/factor.own.ptx
; RUN: cmp %t/factor.ptx %t/factor.file.ptx

; RUN: sed 's/()/() "nvptx-regalloc-pressure-limit"="12" "warpalloc-spills"="here" "spill-limit"="1000"/' %s >%t/most.ll
; RUN: echo '{"version": 1, "choices": [{"function": "k", "options": {"pressure-limit": 12, "spills": "here", "spill-limit": 1000}}]}' >%t/most.json
; RUN: %gpu_plain -warpalloc-dump=%t/most.command -nvptx-regalloc-pressure-limit=12 -warpalloc-spills=here -spill-limit=1000 %s -o %t/most.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/most.own %t/most.ll -o %t/most.own.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/most.file -warpalloc-choices=%t/most.json %s -o %t/most.file.ptx
; RUN: cmp %t/most.command/k.warp %t/most.own/k.warp
; RUN: cmp %t/most.command/k.warp %t/most.file/k.warp
; RUN: %not cmp %t/most.command/k.warp %t/base/k.warp
; RUN: cmp %t/most.ptx %t/most.own.ptx
; RUN: cmp %t/most.ptx %t/most.file.ptx

; RUN: sed 's/()/() "nvptx-regalloc-pressure-limit"="12" "warpalloc-spills"="here" "warpalloc-hand-off"="false"/' %s >%t/hand.ll
; RUN: echo '{"version": 1, "choices": [{"function": "k", "options": {"pressure-limit": 12, "spills": "here", "hand-off": false}}]}' >%t/hand.json
; RUN: %gpu_plain -warpalloc-dump=%t/hand.command -nvptx-regalloc-pressure-limit=12 -warpalloc-spills=here -warpalloc-hand-off=0 %s -o %t/hand.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/hand.own %t/hand.ll -o %t/hand.own.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/hand.file -warpalloc-choices=%t/hand.json %s -o %t/hand.file.ptx
; RUN: cmp %t/hand.command/k.warp %t/hand.own/k.warp
; RUN: cmp %t/hand.command/k.warp %t/hand.file/k.warp
; RUN: %not cmp %t/hand.command/k.warp %t/base/k.warp
; RUN: cmp %t/hand.ptx %t/hand.own.ptx
; RUN: cmp %t/hand.ptx %t/hand.file.ptx

; RUN: sed 's/()/() "nvptx-regalloc-pressure-limit"="12" "warpalloc-spills"="here" "warpalloc-profile"="ptxas"/' %s >%t/profile.ll
; RUN: echo '{"version": 1, "choices": [{"function": "k", "options": {"pressure-limit": 12, "spills": "here", "profile": "ptxas"}}]}' >%t/profile.json
; RUN: %gpu_plain -warpalloc-dump=%t/profile.command -nvptx-regalloc-pressure-limit=12 -warpalloc-spills=here -warpalloc-profile=ptxas %s -o %t/profile.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/profile.own %t/profile.ll -o %t/profile.own.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/profile.file -warpalloc-choices=%t/profile.json %s -o %t/profile.file.ptx
; RUN: cmp %t/profile.command/k.warp %t/profile.own/k.warp
; RUN: cmp %t/profile.command/k.warp %t/profile.file/k.warp
; RUN: %not cmp %t/profile.command/k.warp %t/base/k.warp
; RUN: cmp %t/profile.ptx %t/profile.own.ptx
; RUN: cmp %t/profile.ptx %t/profile.file.ptx

; RUN: sed 's/()/() "nvptx-regalloc-pressure-limit"="12" "warpalloc-spills"="here" "warpalloc-select"="fatpoint"/' %s >%t/select.ll
; RUN: echo '{"version": 1, "choices": [{"function": "k", "options": {"pressure-limit": 12, "spills": "here", "select": "fatpoint"}}]}' >%t/select.json
; RUN: %gpu_plain -warpalloc-dump=%t/select.command -nvptx-regalloc-pressure-limit=12 -warpalloc-spills=here -warpalloc-select=fatpoint %s -o %t/select.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/select.own %t/select.ll -o %t/select.own.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/select.file -warpalloc-choices=%t/select.json %s -o %t/select.file.ptx
; RUN: cmp %t/select.command/k.warp %t/select.own/k.warp
; RUN: cmp %t/select.command/k.warp %t/select.file/k.warp
; RUN: %not cmp %t/select.command/k.warp %t/base/k.warp
; RUN: cmp %t/select.ptx %t/select.own.ptx
; RUN: cmp %t/select.ptx %t/select.file.ptx

; RUN: sed 's/()/() "nvptx-regalloc-pressure-limit"="12" "warpalloc-spills"="here" "warpalloc-order"="lists"/' %s >%t/order.ll
; RUN: echo '{"version": 1, "choices": [{"function": "k", "options": {"pressure-limit": 12, "spills": "here", "order": "lists"}}]}' >%t/order.json
; RUN: %gpu_plain -warpalloc-dump=%t/order.command -nvptx-regalloc-pressure-limit=12 -warpalloc-spills=here -warpalloc-order=lists %s -o %t/order.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/order.own %t/order.ll -o %t/order.own.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/order.file -warpalloc-choices=%t/order.json %s -o %t/order.file.ptx
; RUN: cmp %t/order.command/k.warp %t/order.own/k.warp
; RUN: cmp %t/order.command/k.warp %t/order.file/k.warp
; RUN: %not cmp %t/order.command/k.warp %t/base/k.warp
; RUN: cmp %t/order.ptx %t/order.own.ptx
; RUN: cmp %t/order.ptx %t/order.file.ptx

; RUN: sed 's/()/() "nvptx-regalloc-pressure-limit"="12" "warpalloc-spills"="here" "warpalloc-enable"="tuples"/' %s >%t/enable.ll
; RUN: echo '{"version": 1, "choices": [{"function": "k", "options": {"pressure-limit": 12, "spills": "here", "enable": "tuples"}}]}' >%t/enable.json
; RUN: %gpu_plain -warpalloc-dump=%t/enable.command -nvptx-regalloc-pressure-limit=12 -warpalloc-spills=here -warpalloc-enable=tuples %s -o %t/enable.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/enable.own %t/enable.ll -o %t/enable.own.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/enable.file -warpalloc-choices=%t/enable.json %s -o %t/enable.file.ptx
; RUN: cmp %t/enable.command/k.warp %t/enable.own/k.warp
; RUN: cmp %t/enable.command/k.warp %t/enable.file/k.warp
; RUN: %not cmp %t/enable.command/k.warp %t/base/k.warp
; RUN: cmp %t/enable.ptx %t/enable.own.ptx
; RUN: cmp %t/enable.ptx %t/enable.file.ptx

; RUN: sed 's/()/() "nvptx-regalloc-pressure-limit"="12" "warpalloc-spills"="here" "warpalloc-disable"="split,copy-weights,remat"/' %s >%t/disable.ll
; RUN: echo '{"version": 1, "choices": [{"function": "k", "options": {"pressure-limit": 12, "spills": "here", "disable": ["split", "remat"]}}]}' >%t/disable.json
; RUN: %gpu_plain -warpalloc-dump=%t/disable.command -nvptx-regalloc-pressure-limit=12 -warpalloc-spills=here -warpalloc-disable=split,remat %s -o %t/disable.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/disable.own %t/disable.ll -o %t/disable.own.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/disable.file -warpalloc-choices=%t/disable.json %s -o %t/disable.file.ptx
; RUN: cmp %t/disable.command/k.warp %t/disable.own/k.warp
; RUN: cmp %t/disable.command/k.warp %t/disable.file/k.warp
; RUN: %not cmp %t/disable.command/k.warp %t/base/k.warp
; RUN: cmp %t/disable.ptx %t/disable.own.ptx
; RUN: cmp %t/disable.ptx %t/disable.file.ptx

; RUN: sed 's/()/() "nvptx-regalloc-pressure-limit"="12" "warpalloc-spills"="here" "warpalloc-knob"="684=20"/' %s >%t/knob.ll
; RUN: echo '{"version": 1, "choices": [{"function": "k", "options": {"pressure-limit": 12, "spills": "here", "knob": ["684=20"]}}]}' >%t/knob.json
; RUN: %gpu_plain -warpalloc-dump=%t/knob.command -nvptx-regalloc-pressure-limit=12 -warpalloc-spills=here -warpalloc-knob=684=20 %s -o %t/knob.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/knob.own %t/knob.ll -o %t/knob.own.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/knob.file -warpalloc-choices=%t/knob.json %s -o %t/knob.file.ptx
; RUN: cmp %t/knob.command/k.warp %t/knob.own/k.warp
; RUN: cmp %t/knob.command/k.warp %t/knob.file/k.warp
; RUN: %not cmp %t/knob.command/k.warp %t/base/k.warp
; RUN: cmp %t/knob.ptx %t/knob.own.ptx
; RUN: cmp %t/knob.ptx %t/knob.file.ptx

; RUN: sed 's/()/() "nvptx-regalloc-pressure-limit"="12" "warpalloc-spills"="here" "warpalloc-spill-space"="shared"/' %s >%t/space.ll
; RUN: echo '{"version": 1, "choices": [{"function": "k", "options": {"pressure-limit": 12, "spills": "here", "spill-space": "shared"}}]}' >%t/space.json
; RUN: %gpu_plain -warpalloc-dump=%t/space.command -nvptx-regalloc-pressure-limit=12 -warpalloc-spills=here -warpalloc-spill-space=shared %s -o %t/space.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/space.own %t/space.ll -o %t/space.own.ptx
; RUN: %gpu_plain -warpalloc-dump=%t/space.file -warpalloc-choices=%t/space.json %s -o %t/space.file.ptx
; RUN: cmp %t/space.command/k.warp %t/space.own/k.warp
; RUN: cmp %t/space.command/k.warp %t/space.file/k.warp
; RUN: %not cmp %t/space.command/k.warp %t/base/k.warp
; RUN: cmp %t/space.ptx %t/space.own.ptx
; RUN: cmp %t/space.ptx %t/space.file.ptx

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k() {
  ret void
}
