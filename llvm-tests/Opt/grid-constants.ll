; Parameters by value whose address escapes, but to nobody who writes, are grid constants.
; RUN: %opt -passes=warpalloc-promote -verify-each -S %s | %FileCheck %s
; RUN: %opt -passes=warpalloc-promote -pass-remarks-missed=warpalloc-promote -disable-output %s 2>&1 | %FileCheck %s --check-prefix=REMARK
; RUN: %llc -mcpu=sm_90 -mattr=+ptx88 %s -o - | %FileCheck %s --check-prefix=COPY
; RUN: %llc -mcpu=sm_90 -mattr=+ptx88 -warpalloc-prepare %s -o - | %FileCheck %s --check-prefix=NONE

target triple = "nvptx64-nvidia-cuda"

%map = type { [16 x i64] }

; CHECK-LABEL: define ptx_kernel void @descriptor(ptr byval(%map) align 64 "nvvm.grid_constant" %m
; COPY-LABEL: .entry descriptor(
; COPY: st.local
; NONE-LABEL: .entry descriptor(
; NONE-NOT: .local
; NONE: prefetch.tensormap
define ptx_kernel void @descriptor(ptr byval(%map) align 64 %m) {
  %a = ptrtoint ptr %m to i64
  call void asm sideeffect "prefetch.tensormap [$0];", "l,~{memory}"(i64 %a)
  call void asm sideeffect "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$1], [$0, {$2, $2}], [$1];", "l,r,r,~{memory}"(i64 %a, i32 0, i32 1)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @read(ptr byval(%map) align 64 "nvvm.grid_constant" %m
define ptx_kernel void @read(ptr byval(%map) align 64 %m, ptr addrspace(1) %out) {
  %v = call i64 @reads(ptr %m)
  store i64 %v, ptr addrspace(1) %out
  ret void
}
declare i64 @reads(ptr readonly captures(none))

; REMARK: remark: {{.*}}a parameter is copied into local memory: its address escapes to what may write there
; CHECK-LABEL: define ptx_kernel void @assembly(ptr byval(%map) align 64 %m)
define ptx_kernel void @assembly(ptr byval(%map) align 64 %m) {
  call void asm sideeffect "st.b32 [$0], 0;", "l,~{memory}"(ptr %m)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @replaced(ptr byval(%map) align 64 %m)
define ptx_kernel void @replaced(ptr byval(%map) align 64 %m) {
  call void asm sideeffect "prefetch.tensormap [$0]; tensormap.replace.tile.rank.global.b1024.b32 [$0], 2;", "l,~{memory}"(ptr %m)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @keeps(ptr byval(%map) align 64 %m)
define ptx_kernel void @keeps(ptr byval(%map) align 64 %m) {
  call void @captures(ptr %m)
  ret void
}
declare void @captures(ptr readonly)

; CHECK-LABEL: define ptx_kernel void @writes(ptr byval(%map) align 64 %m,
define ptx_kernel void @writes(ptr byval(%map) align 64 %m, ptr addrspace(1) %out) {
  store i64 1, ptr %m
  %v = call i64 @reads(ptr %m)
  store i64 %v, ptr addrspace(1) %out
  ret void
}

; LLVM reads it in its place without our help.
; CHECK-LABEL: define ptx_kernel void @loads(ptr byval(%map) align 64 %m
; CHECK-NOT: grid_constant
; CHECK: ret void
define ptx_kernel void @loads(ptr byval(%map) align 64 %m, ptr addrspace(1) %out) {
  %v = load i64, ptr %m
  store i64 %v, ptr addrspace(1) %out
  ret void
}
