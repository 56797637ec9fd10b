; The pipeline by its name, with and without a processor, and in llc and clang by an option.
; RUN: %opt -passes=warpalloc -debug-pass-manager -disable-output %s 2>&1 | %FileCheck %s --check-prefix=PASSES
; RUN: %opt -passes='warpalloc<sm_90a>' -debug-pass-manager -disable-output %s 2>&1 | %FileCheck %s --check-prefix=PASSES
; RUN: %llc -mcpu=sm_90 -warpalloc-prepare -print-after-all -o /dev/null %s 2>&1 | %FileCheck %s --check-prefix=PRINTED
; RUN: %llc_plugin -mcpu=sm_90 -warpalloc-prepare -time-passes -o /dev/null %s 2>&1 | %FileCheck %s --check-prefix=TIMED
; RUN: %clang -fpass-plugin=%warpalloc --target=nvptx64-nvidia-cuda -march=sm_90 -nogpulib -mllvm -warpalloc-prepare -O1 -S -emit-llvm -o - %s 2>&1 | %FileCheck %s --check-prefix=PREPARED
; RUN: %clang -fpass-plugin=%warpalloc --target=nvptx64-nvidia-cuda -march=sm_90 -nogpulib -O1 -S -emit-llvm -o - %s 2>&1 | %FileCheck %s --check-prefix=STOCK
; -fplugin alone makes the option known, and code is prepared where it is generated.
; RUN: %clang --target=nvptx64-nvidia-cuda -march=sm_90 -nogpulib -mllvm -warpalloc-prepare -mllvm -print-after-all -O1 -S -o /dev/null %s 2>&1 | %FileCheck %s --check-prefix=PRINTED
; A second time in llc is none.
; RUN: %clang -fpass-plugin=%warpalloc --target=nvptx64-nvidia-cuda -march=sm_90 -nogpulib -mllvm -warpalloc-prepare -O1 -c -emit-llvm -o %t.bc %s
; RUN: %llc -mcpu=sm_90 -warpalloc-prepare -print-after-all -o /dev/null %t.bc 2>&1 | %FileCheck %s --check-prefix=AGAIN
; Without the option nothing of it happens.
; RUN: %llc -mcpu=sm_90 -print-after-all -o /dev/null %s 2>&1 | %FileCheck %s --check-prefix=AGAIN
; RUN: %llc -mcpu=sm_90 -warpalloc-prepare -opt-bisect-limit=0 -o /dev/null %s 2>&1 | %FileCheck %s --check-prefix=BISECT
; RUN: %not %opt -passes='warpalloc<ninety>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=PROCESSOR
; RUN: %not %opt -passes=warpalloc-nothing -disable-output %s 2>&1 | %FileCheck %s --check-prefix=UNKNOWN

target triple = "nvptx64-nvidia-cuda"

; PASSES: Running pass: WarpallocChooseCallsPass
; PASSES: Running pass: WarpallocFinishPass
; PRINTED: IR Dump After WarpallocChooseCallsPass
; TIMED: WarpallocChooseCallsPass
; PREPARED: !{i32 8, !"warpalloc-prepared", i32 1}
; STOCK-NOT: warpalloc
; AGAIN-NOT: WarpallocChooseCallsPass
; BISECT: BISECT: NOT running pass (1) warpalloc-choose-calls
; PROCESSOR: warpalloc: 'ninety' is no processor: give one such as sm_90
; UNKNOWN: unknown pass name 'warpalloc-nothing'
define ptx_kernel void @k(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}
