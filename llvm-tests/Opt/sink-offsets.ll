; Addresses at constant offsets from one base are computed in the block of their use, so that
; only the base lives through the loop.
; RUN: %opt -passes=warpalloc-sink-addresses -verify-each -S %s | %FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @two(
; CHECK: loop:
; CHECK: %[[A:.*]] = getelementptr inbounds i8, ptr %base, i64 64
; CHECK-NEXT: call void asm sideeffect "use [$0];", "l"(ptr %[[A]])
; CHECK-NEXT: %[[B:.*]] = getelementptr inbounds i8, ptr %base, i64 128
; CHECK-NEXT: call void asm sideeffect "use [$0];", "l"(ptr %[[B]])
; CHECK-NEXT: call void asm sideeffect "use [$0];", "l"(ptr %[[A]])
define ptx_kernel void @two(ptr %p, i64 %i, i32 %n) "warpalloc-changed" {
entry:
  %base = getelementptr i8, ptr %p, i64 %i
  %a = getelementptr inbounds i8, ptr %base, i64 64
  %b = getelementptr inbounds i8, ptr %base, i64 128
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void asm sideeffect "use [$0];", "l"(ptr %a)
  call void asm sideeffect "use [$0];", "l"(ptr %b)
  call void asm sideeffect "use [$0];", "l"(ptr %a)
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; One sum alone: the base would live on instead.
; CHECK-LABEL: define ptx_kernel void @one(
; CHECK: loop:
; CHECK-NOT: getelementptr
; CHECK: ret void
define ptx_kernel void @one(ptr %p, i64 %i, i32 %n) "warpalloc-changed" {
entry:
  %base = getelementptr i8, ptr %p, i64 %i
  %a = getelementptr inbounds i8, ptr %base, i64 64
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void asm sideeffect "use [$0];", "l"(ptr %a)
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A phi takes its values where the blocks before it end, and those stay.
; CHECK-LABEL: define ptx_kernel void @phi(
; CHECK: end:
; CHECK-NEXT: phi ptr [ %a, %entry ], [ %b, %other ]
define ptx_kernel void @phi(ptr %p, i64 %i, i1 %c) "warpalloc-changed" {
entry:
  %base = getelementptr i8, ptr %p, i64 %i
  %a = getelementptr inbounds i8, ptr %base, i64 64
  %b = getelementptr inbounds i8, ptr %base, i64 128
  br i1 %c, label %other, label %end
other:
  br label %end
end:
  %x = phi ptr [ %a, %entry ], [ %b, %other ]
  call void asm sideeffect "use [$0];", "l"(ptr %x)
  ret void
}

; No pass of ours has changed it.
; CHECK-LABEL: define ptx_kernel void @unchanged(
; CHECK: other:
; CHECK-NOT: getelementptr
; CHECK: ret void
define ptx_kernel void @unchanged(ptr %p, i64 %i, i1 %c) {
entry:
  %base = getelementptr i8, ptr %p, i64 %i
  %a = getelementptr inbounds i8, ptr %base, i64 64
  %b = getelementptr inbounds i8, ptr %base, i64 128
  br i1 %c, label %other, label %end
other:
  call void asm sideeffect "use [$0];", "l"(ptr %a)
  call void asm sideeffect "use [$0];", "l"(ptr %b)
  br label %end
end:
  ret void
}
