; Calls that get the address of a stack variable are inlined, with what they hand it to, and
; calls by way of a closure that holds the address; all others stay. -verify-each.
; RUN: %opt -passes=warpalloc-inline -verify-each -S %s | %FileCheck %s
; RUN: %opt -passes=warpalloc-inline -pass-remarks-missed=warpalloc-inline -disable-output %s 2>&1 | %FileCheck %s --check-prefix=REMARK

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @direct
; CHECK-NOT: alloca
; CHECK-NOT: call
; CHECK: store i32 9, ptr addrspace(1) %out
define ptx_kernel void @direct(ptr addrspace(1) %out) {
  %x = alloca i32
  store i32 4, ptr %x
  call void @outer(ptr %x)
  %v = load i32, ptr %x
  store i32 %v, ptr addrspace(1) %out
  ret void
}

; What a chosen call reaches with the address is chosen with it.
define internal void @outer(ptr %p) {
  call void @inner(ptr %p)
  ret void
}

define internal void @inner(ptr %p) {
  %v = load i32, ptr %p
  %w = add i32 %v, 5
  store i32 %w, ptr %p
  ret void
}

; The closure holds the addresses of two variables.
; CHECK-LABEL: define ptx_kernel void @closure
; CHECK-NOT: alloca
; CHECK-NOT: call
; CHECK: store i32 12, ptr addrspace(1) %out
define ptx_kernel void @closure(ptr addrspace(1) %out) {
  %a = alloca i32
  %b = alloca i32
  %closure = alloca { ptr, ptr }
  store i32 5, ptr %a
  store i32 7, ptr %b
  store ptr %a, ptr %closure
  %second = getelementptr i8, ptr %closure, i64 8
  store ptr %b, ptr %second
  call void @lambda(ptr %closure)
  %v = load i32, ptr %a
  store i32 %v, ptr addrspace(1) %out
  ret void
}

define internal void @lambda(ptr %closure) {
  %a = load ptr, ptr %closure
  %second = getelementptr i8, ptr %closure, i64 8
  %b = load ptr, ptr %second
  call void @sum(ptr %a, ptr %b)
  ret void
}

; Its arguments are stack variables only after @lambda has been inlined: the next round.
define internal void @sum(ptr %a, ptr %b) {
  %v = load i32, ptr %a
  %w = load i32, ptr %b
  %s = add i32 %v, %w
  store i32 %s, ptr %a
  ret void
}

; REMARK: remark: {{.*}}'kept' gets the address of a local variable, which stays in memory: not inlined, as it is 'noinline'
; REMARK: remark: {{.*}}'again' gets {{.*}} as it is recursive
; REMARK: remark: {{.*}}'weak' gets {{.*}} as another definition may replace it
; CHECK-LABEL: define ptx_kernel void @refused
; CHECK: alloca i32
; CHECK: call void @kept(
; CHECK: call void @again(
; CHECK: call void @weak(
; CHECK: call void @unknown(
define ptx_kernel void @refused(ptr addrspace(1) %out) {
  %x = alloca i32
  store i32 4, ptr %x
  call void @kept(ptr %x)
  call void @again(ptr %x)
  call void @weak(ptr %x)
  call void @unknown(ptr %x)
  %v = load i32, ptr %x
  store i32 %v, ptr addrspace(1) %out
  ret void
}

define internal void @kept(ptr %p) noinline {
  store i32 1, ptr %p
  ret void
}

define internal void @again(ptr %p) {
  %v = load i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %end, label %more
more:
  %w = sub i32 %v, 1
  store i32 %w, ptr %p
  call void @again(ptr %p)
  br label %end
end:
  ret void
}

define weak void @weak(ptr %p) {
  store i32 2, ptr %p
  ret void
}

declare void @unknown(ptr)

; The address also goes to calls that stay, to one by way of another function: nothing is
; inlined for a variable that stays in memory.
; CHECK-LABEL: define ptx_kernel void @stays
; CHECK: call void @outer(ptr %x)
; CHECK: call void @passes_on(ptr %y)
; CHECK: call void @outer(ptr %y)
; CHECK: call void @outer(ptr %z)
define ptx_kernel void @stays(ptr addrspace(1) %out) {
  %x = alloca i32
  %y = alloca i32
  %z = alloca i32
  %holder = alloca ptr
  store i32 4, ptr %x
  store i32 4, ptr %y
  store i32 4, ptr %z
  call void @outer(ptr %x)
  call void @unknown(ptr %x)
  call void @passes_on(ptr %y)
  call void @outer(ptr %y)
  store ptr %z, ptr %holder
  call void @unknown(ptr %holder)
  call void @outer(ptr %z)
  ret void
}

define internal void @passes_on(ptr %p) {
  call void @unknown(ptr %p)
  ret void
}

; No stack variable is concerned.
; CHECK-LABEL: define ptx_kernel void @others
; CHECK: call i32 @plain(i32 3)
; CHECK: call i32 @reads(ptr %p)
define ptx_kernel void @others(ptr %p, ptr addrspace(1) %out) {
  %v = call i32 @plain(i32 3)
  %w = call i32 @reads(ptr %p)
  %s = add i32 %v, %w
  store i32 %s, ptr addrspace(1) %out
  ret void
}

define internal i32 @plain(i32 %x) {
  %v = mul i32 %x, %x
  ret i32 %v
}

define internal i32 @reads(ptr %p) {
  %v = load i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: define ptx_kernel void @untouched
; CHECK: call void @inner2(
define ptx_kernel void @untouched() noinline optnone {
  %x = alloca i32
  call void @inner2(ptr %x)
  ret void
}

define internal void @inner2(ptr %p) {
  store i32 1, ptr %p
  ret void
}

; CHECK-NOT: warpalloc-changed
