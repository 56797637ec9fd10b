; Short branches become selects where a function needs more registers than it may have, whether one
; way is empty or none is, and LLVM removes what is left of them. Branches stay around what reads
; memory, has an effect, takes long, or could end the program; so do those where there is room, in
; all of a function or there.
; RUN: %opt -passes='warpalloc-if-convert,function(simplifycfg)' -verify-each -S %s | %FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @converted(
; CHECK-NOT:   br
; CHECK:       [[ONE:%.*]] = select i1 %c, i32 {{%.*}}, i32 %x
; CHECK-NOT:   br
; CHECK:       select i1 %d, i32 {{%.*}}, i32 {{%.*}}
; CHECK-NOT:   br
; CHECK:       select i1 %e, i32 %z, i32 {{%.*}}
; CHECK-NOT:   br
; CHECK:       ret void
define ptx_kernel void @converted(ptr addrspace(1) %p, i32 %x, i32 %y, i32 %z, i1 %c, i1 %d, i1 %e) "nvvm.maxnreg"="16" {
  %big = load volatile i1024, ptr addrspace(1) %p
  br i1 %c, label %triangle, label %next
triangle:
  %t0 = mul i32 %x, %y
  %t1 = xor i32 %t0, %y
  %t2 = mul i32 %t1, %y
  %t3 = sub i32 %t2, %y
  %t4 = xor i32 %t3, %y
  %t5 = mul i32 %t4, %y
  br label %next
next:
  %one = phi i32 [ %t5, %triangle ], [ %x, %0 ]
  br i1 %d, label %left, label %right
left:
  %l0 = mul i32 %one, %x
  %l1 = xor i32 %l0, %x
  %l2 = mul i32 %l1, %x
  %l3 = sub i32 %l2, %x
  %l4 = xor i32 %l3, %x
  %l5 = mul i32 %l4, %x
  br label %join
right:
  %r0 = mul i32 %one, %y
  %r1 = xor i32 %r0, %y
  %r2 = mul i32 %r1, %y
  %r3 = sub i32 %r2, %y
  %r4 = xor i32 %r3, %y
  %r5 = mul i32 %r4, %y
  br label %join
join:
  %two = phi i32 [ %l5, %left ], [ %r5, %right ]
  %same = phi i32 [ %z, %left ], [ %z, %right ]
  br i1 %e, label %last, label %other
other:
  %o0 = mul i32 %same, %x
  %o1 = xor i32 %o0, %x
  %o2 = mul i32 %o1, %x
  %o3 = sub i32 %o2, %x
  %o4 = xor i32 %o3, %x
  %o5 = mul i32 %o4, %x
  br label %last
last:
  %three = phi i32 [ %same, %join ], [ %o5, %other ]
  store volatile i1024 %big, ptr addrspace(1) %p
  store volatile i32 %two, ptr addrspace(1) %p
  store volatile i32 %three, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @fits(
; CHECK:       br i1 %c
define ptx_kernel void @fits(ptr addrspace(1) %p, i32 %x, i32 %y, i1 %c) "nvvm.maxnreg"="64" {
  %big = load volatile i1024, ptr addrspace(1) %p
  br i1 %c, label %triangle, label %next
triangle:
  %a = mul i32 %x, 3
  %b = mul i32 %a, %y
  %d = xor i32 %b, %x
  %e = mul i32 %d, %y
  %f = xor i32 %e, %x
  br label %next
next:
  %one = phi i32 [ %f, %triangle ], [ %x, %0 ]
  store volatile i1024 %big, ptr addrspace(1) %p
  store volatile i32 %one, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @fits.there(
; CHECK:       br i1 %c
define ptx_kernel void @fits.there(ptr addrspace(1) %p, i32 %x, i32 %y, i1 %c) "nvvm.maxnreg"="16" {
  br i1 %c, label %triangle, label %next
triangle:
  %a = mul i32 %x, 3
  %b = mul i32 %a, %y
  %d = xor i32 %b, %x
  %e = mul i32 %d, %y
  %f = xor i32 %e, %x
  br label %next
next:
  %one = phi i32 [ %f, %triangle ], [ %x, %0 ]
  store volatile i32 %one, ptr addrspace(1) %p
  br label %last
last:
  %big = load volatile i1024, ptr addrspace(1) %p
  store volatile i1024 %big, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @stays(
; CHECK:       br i1 %c0
; CHECK:       load i32
; CHECK:       br i1 %c1
; CHECK:       store i32 %x
; CHECK:       br i1 %c2
; CHECK:       udiv i32 %x, %y
; CHECK:       br i1 %c3
; CHECK:       fdiv float
; CHECK:       ret void
define ptx_kernel void @stays(ptr addrspace(1) %p, i32 %x, i32 %y, float %z, i1 %c0, i1 %c1, i1 %c2, i1 %c3) "nvvm.maxnreg"="16" {
  %big = load volatile i1024, ptr addrspace(1) %p
  br i1 %c0, label %loads, label %after.load
loads:
  %loaded = load i32, ptr addrspace(1) %p
  br label %after.load
after.load:
  %a = phi i32 [ %loaded, %loads ], [ %x, %0 ]
  store volatile i32 %a, ptr addrspace(1) %p
  br i1 %c1, label %stores, label %after.store
stores:
  store i32 %x, ptr addrspace(1) %p
  br label %after.store
after.store:
  store volatile i32 %y, ptr addrspace(1) %p
  br i1 %c2, label %divides, label %after.division
divides:
  %quotient = udiv i32 %x, %y
  br label %after.division
after.division:
  %b = phi i32 [ %quotient, %divides ], [ %x, %after.store ]
  store volatile i32 %b, ptr addrspace(1) %p
  br i1 %c3, label %takes.long, label %last
takes.long:
  %ratio = fdiv float %z, 3.0
  %other = fdiv float %ratio, %z
  br label %last
last:
  %r = phi float [ %other, %takes.long ], [ %z, %after.division ]
  store volatile i1024 %big, ptr addrspace(1) %p
  store volatile float %r, ptr addrspace(1) %p
  ret void
}

; A block that is entered from elsewhere too is not of the branch alone.
; CHECK-LABEL: define ptx_kernel void @shared(
; CHECK:       br i1 %c
; CHECK:       shared:
define ptx_kernel void @shared(ptr addrspace(1) %p, i32 %x, i32 %y, i1 %c, i1 %d) "nvvm.maxnreg"="16" {
  %big = load volatile i1024, ptr addrspace(1) %p
  br i1 %c, label %first, label %second
first:
  store volatile i32 %y, ptr addrspace(1) %p
  br i1 %d, label %shared, label %last
second:
  store volatile i32 %x, ptr addrspace(1) %p
  br i1 %d, label %last, label %shared
shared:
  %a = mul i32 %x, 3
  %b = mul i32 %a, %y
  %e = mul i32 %b, %b
  %f = xor i32 %e, %x
  %g = mul i32 %f, %e
  br label %last
last:
  %one = phi i32 [ %g, %shared ], [ %x, %first ], [ %y, %second ]
  store volatile i1024 %big, ptr addrspace(1) %p
  store volatile i32 %one, ptr addrspace(1) %p
  ret void
}
