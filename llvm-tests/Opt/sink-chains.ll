; In a block that reads very much from others, addresses that come from the same few values
; are computed from them.
; RUN: %opt -passes=warpalloc-sink-addresses,dce -verify-each -S %s | %FileCheck %s

target triple = "nvptx64-nvidia-cuda"

@tile = external addrspace(3) global [0 x i8]

; CHECK-LABEL: define ptx_kernel void @swizzled(
; CHECK: entry:
; CHECK-NOT: xor
; CHECK: loop:
; CHECK: %[[FIRST:.*]] = xor i32 %x, %mask
; CHECK: %[[WIDE:.*]] = zext i32 %[[FIRST]] to i64
; CHECK: %[[PLACE:.*]] = getelementptr i8, ptr addrspace(3) @tile, i64 %[[WIDE]]
; CHECK: %[[CAST:.*]] = addrspacecast ptr addrspace(3) %[[PLACE]] to ptr
; CHECK: call void asm sideeffect "use [$0];", "l"(ptr %[[CAST]])
; CHECK: %[[SUM:.*]] = add i32 %x, 32
; CHECK: xor i32 %[[SUM]], %mask
; The same address once more is computed once.
; CHECK: call void asm sideeffect "use [$0];", "l"(ptr %[[CAST]])
; CHECK-NEXT: br i1
define ptx_kernel void @swizzled(ptr %big, i32 %y, i32 %mask) "warpalloc-changed" {
entry:
  %x = mul i32 %y, %y
  %b1 = load volatile i2048, ptr %big
  %b2 = load volatile i2048, ptr %big
  %b3 = load volatile i2048, ptr %big
  %x1 = xor i32 %x, %mask
  %w1 = zext i32 %x1 to i64
  %p1 = getelementptr i8, ptr addrspace(3) @tile, i64 %w1
  %a1 = addrspacecast ptr addrspace(3) %p1 to ptr
  %s2 = add i32 %x, 32
  %x2 = xor i32 %s2, %mask
  %w2 = zext i32 %x2 to i64
  %p2 = getelementptr i8, ptr addrspace(3) @tile, i64 %w2
  %a2 = addrspacecast ptr addrspace(3) %p2 to ptr
  br label %loop
loop:
  store volatile i2048 %b1, ptr %big
  store volatile i2048 %b2, ptr %big
  store volatile i2048 %b3, ptr %big
  call void asm sideeffect "use [$0];", "l"(ptr %a1)
  call void asm sideeffect "use [$0];", "l"(ptr %a2)
  call void asm sideeffect "use [$0];", "l"(ptr %a1)
  br i1 poison, label %loop, label %end
end:
  ret void
}

; Little is read.
; CHECK-LABEL: define ptx_kernel void @little(
; CHECK: entry:
; CHECK: xor
; CHECK: loop:
; CHECK-NOT: xor
; CHECK: ret void
define ptx_kernel void @little(ptr %big, i32 %y, i32 %mask) "warpalloc-changed" {
entry:
  %x = mul i32 %y, %y
  %x1 = xor i32 %x, %mask
  %w1 = zext i32 %x1 to i64
  %p1 = getelementptr i8, ptr addrspace(3) @tile, i64 %w1
  %a1 = addrspacecast ptr addrspace(3) %p1 to ptr
  %s2 = add i32 %x, 32
  %x2 = xor i32 %s2, %mask
  %w2 = zext i32 %x2 to i64
  %p2 = getelementptr i8, ptr addrspace(3) @tile, i64 %w2
  %a2 = addrspacecast ptr addrspace(3) %p2 to ptr
  br label %loop
loop:
  call void asm sideeffect "use [$0];", "l"(ptr %a1)
  call void asm sideeffect "use [$0];", "l"(ptr %a2)
  br i1 poison, label %loop, label %end
end:
  ret void
}

; One address of its own values: they would be read instead.
; CHECK-LABEL: define ptx_kernel void @alone(
; CHECK: entry:
; CHECK: add i32
; CHECK: loop:
; CHECK-NOT: add i32
; CHECK: ret void
define ptx_kernel void @alone(ptr %big, i32 %y, i32 %mask) "warpalloc-changed" {
entry:
  %x = mul i32 %y, %y
  %z = mul i32 %y, %mask
  %b1 = load volatile i2048, ptr %big
  %b2 = load volatile i2048, ptr %big
  %b3 = load volatile i2048, ptr %big
  %s = add i32 %x, %z
  br label %loop
loop:
  store volatile i2048 %b1, ptr %big
  store volatile i2048 %b2, ptr %big
  store volatile i2048 %b3, ptr %big
  call void asm sideeffect "use $0;", "r"(i32 %s)
  br i1 poison, label %loop, label %end
end:
  ret void
}
