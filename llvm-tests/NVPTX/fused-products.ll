; ptxas makes one instruction of the two halves of a product, if no other multiplication stands
; between them: what is left to it has them together, whether anything was asked for or not.
; RUN: %llc -mcpu=sm_90 %s -o - | %FileCheck %s --check-prefix=STOCK
; RUN: %gpu -warpalloc-spills=auto -mcpu=sm_90 %s -o - | %FileCheck %s
; RUN: %gpu -warpalloc-spills=auto -mcpu=sm_90 -nvptx-regalloc-pressure-limit=32 %s -o - | %FileCheck %s
; RUN: %gpu -warpalloc-spills=auto -mcpu=sm_90 -warpalloc-disable=reorder %s -o - | %FileCheck %s --check-prefix=STOCK

target triple = "nvptx64-nvidia-cuda"

; STOCK-LABEL: .entry two_words(
; STOCK: mul.hi.u32 {{.*}}, [[A:%r[0-9]+]], -766435501;
; STOCK: mul.hi.u32 {{.*}}, [[B:%r[0-9]+]], -766435501;
; STOCK: mul.lo.s32 {{.*}}, [[A]], -766435501;
; STOCK: mul.lo.s32 {{.*}}, [[B]], -766435501;

; CHECK-LABEL: .entry two_words(
; CHECK: mul.hi.u32 {{.*}}, [[A:%r[0-9]+]], -766435501;
; CHECK-NEXT: mul.lo.s32 {{.*}}, [[A]], -766435501;
; CHECK: mul.hi.u32 {{.*}}, [[B:%r[0-9]+]], -766435501;
; CHECK-NEXT: mul.lo.s32 {{.*}}, [[B]], -766435501;
define ptx_kernel void @two_words(ptr addrspace(1) %from, ptr addrspace(1) %to) {
  %a = load i32, ptr addrspace(1) %from
  %next = getelementptr i32, ptr addrspace(1) %from, i64 1
  %b = load i32, ptr addrspace(1) %next
  %wide.a = zext i32 %a to i64
  %wide.b = zext i32 %b to i64
  %product.a = mul i64 %wide.a, 3528531795
  %product.b = mul i64 %wide.b, 3528531795
  %shifted.a = lshr i64 %product.a, 32
  %shifted.b = lshr i64 %product.b, 32
  %high.a = trunc i64 %shifted.a to i32
  %high.b = trunc i64 %shifted.b to i32
  %low.a = mul i32 %a, -766435501
  %low.b = mul i32 %b, -766435501
  %one = xor i32 %high.a, %low.b
  %other = xor i32 %high.b, %low.a
  store i32 %one, ptr addrspace(1) %to
  %behind = getelementptr i32, ptr addrspace(1) %to, i64 1
  store i32 %other, ptr addrspace(1) %behind
  ret void
}
