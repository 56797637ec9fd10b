; Values of types that only some target knows have no registers that are counted; nothing fails
; on them, whatever asks for types: the pressure, sinking, and what looks at stack variables.
; RUN: %opt -passes='warpalloc<sm_90>' -S %s -o - | %FileCheck %s
; RUN: %opt -passes=warpalloc-hoist -disable-output %s
; RUN: %opt -passes='print<warpalloc-pressure><sm_90>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=PRESSURE

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @event(
; CHECK:         store target("spirv.Event")
; PRESSURE:    event
define ptx_kernel void @event(target("spirv.Event") %a, i32 %n) "nvvm.maxnreg"="24" {
  %p = alloca [4 x target("spirv.Event")]
  %at = getelementptr [4 x target("spirv.Event")], ptr %p, i32 0, i32 %n
  store target("spirv.Event") %a, ptr %at
  %b = load target("spirv.Event"), ptr %at
  store target("spirv.Event") %b, ptr %p
  ret void
}
