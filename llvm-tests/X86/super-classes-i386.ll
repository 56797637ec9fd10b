; RUN: %llc -O2 -regalloc=warpalloc -verify-regalloc -verify-machineinstrs \
; RUN:   -mtriple=i386-linux-gnu %s -o - | FileCheck %s

; A value whose first byte is read, which four registers have on i386. On one way it is a
; constant. It may be in any register; only what is tested is in one of the four.

; CHECK-LABEL: constant_or_not:
; CHECK: #NO_APP
; CHECK-NOT: Reload
; CHECK: movl $7, %[[VALUE:e[a-z]+]]
; CHECK: movl {{.*}}, %[[VALUE]]
; CHECK: testb %[[BYTE:[a-d]l]], %[[BYTE]]
; CHECK-NOT: Reload
; CHECK: retl

declare void @use(i32, i32, i32, i32, i32)

define i32 @constant_or_not(i1 %other, ptr %p, i32 %a, i32 %b) {
entry:
  br i1 %other, label %all, label %load

all:
  call void asm sideeffect "nop", "~{eax},~{ebx},~{ecx},~{edx},~{esi},~{edi},~{ebp}"()
  br label %meet

load:
  %loaded = load i32, ptr %p
  br label %meet

meet:
  %value = phi i32 [ 7, %all ], [ %loaded, %load ]
  %byte = trunc i32 %value to i8
  %zero = icmp eq i8 %byte, 0
  br i1 %zero, label %yes, label %no

yes:
  call void @use(i32 %value, i32 %a, i32 %b, i32 1, i32 2)
  ret i32 %value

no:
  ret i32 %a
}
