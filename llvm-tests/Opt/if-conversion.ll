; Short branches become selects where a function needs more registers than it may have, whether one
; way is empty or none is, and LLVM removes what is left of them. Branches stay around what reads
; memory, has an effect, takes long, or could end the program; so do those where there is room, in
; all of a function or there.
; RUN: %opt -passes='warpalloc-if-convert,function(simplifycfg)' -verify-each -S %s | %FileCheck %s
; RUN: sed 's/sub i32 %%x, 1 ; last/load i32, ptr addrspace(1) %%p/' %s | \
; RUN:   %opt -passes='warpalloc-if-convert,function(simplifycfg)' -verify-each -S | %FileCheck %s --check-prefix=SEVEN

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
  br label %join
right:
  %r0 = mul i32 %one, %y
  %r1 = xor i32 %r0, %y
  %r2 = mul i32 %r1, %y
  %r3 = sub i32 %r2, %y
  br label %join
join:
  %two = phi i32 [ %l3, %left ], [ %r3, %right ]
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

; Of many branches, as in an unrolled loop, each may take longer than of a few.
; CHECK-LABEL: define ptx_kernel void @unrolled(
; CHECK-COUNT-8: select i1
; CHECK-NOT:   br
; CHECK:       ret void
; SEVEN-LABEL: define ptx_kernel void @unrolled(
; SEVEN-NOT:   select
; SEVEN-COUNT-8: br i1
; SEVEN:       ret void
define ptx_kernel void @unrolled(ptr addrspace(1) %p, i32 %x, i1 %c0, i1 %c1, i1 %c2, i1 %c3, i1 %c4, i1 %c5, i1 %c6, i1 %c7) "nvvm.maxnreg"="16" {
  %big = load volatile i1024, ptr addrspace(1) %p
  br i1 %c0, label %arm0, label %join0
arm0:
  %a0.0 = mul i32 %x, %x
  %a0.1 = xor i32 %a0.0, %x
  %a0.2 = mul i32 %a0.1, %x
  %a0.3 = xor i32 %a0.2, %x
  %a0.4 = mul i32 %a0.3, %x
  %a0.5 = xor i32 %a0.4, %x
  %a0.6 = mul i32 %a0.5, %x
  %a0.7 = xor i32 %a0.6, %x
  %a0.8 = mul i32 %a0.7, %x
  %a0.9 = xor i32 %a0.8, %x
  br label %join0
join0:
  %v0 = phi i32 [ %a0.9, %arm0 ], [ %x, %0 ]
  br i1 %c1, label %arm1, label %join1
arm1:
  %a1.0 = mul i32 %v0, %x
  %a1.1 = xor i32 %a1.0, %x
  %a1.2 = mul i32 %a1.1, %x
  %a1.3 = xor i32 %a1.2, %x
  %a1.4 = mul i32 %a1.3, %x
  %a1.5 = xor i32 %a1.4, %x
  %a1.6 = mul i32 %a1.5, %x
  %a1.7 = xor i32 %a1.6, %x
  %a1.8 = mul i32 %a1.7, %x
  %a1.9 = xor i32 %a1.8, %x
  br label %join1
join1:
  %v1 = phi i32 [ %a1.9, %arm1 ], [ %v0, %join0 ]
  br i1 %c2, label %arm2, label %join2
arm2:
  %a2.0 = mul i32 %v1, %x
  %a2.1 = xor i32 %a2.0, %x
  %a2.2 = mul i32 %a2.1, %x
  %a2.3 = xor i32 %a2.2, %x
  %a2.4 = mul i32 %a2.3, %x
  %a2.5 = xor i32 %a2.4, %x
  %a2.6 = mul i32 %a2.5, %x
  %a2.7 = xor i32 %a2.6, %x
  %a2.8 = mul i32 %a2.7, %x
  %a2.9 = xor i32 %a2.8, %x
  br label %join2
join2:
  %v2 = phi i32 [ %a2.9, %arm2 ], [ %v1, %join1 ]
  br i1 %c3, label %arm3, label %join3
arm3:
  %a3.0 = mul i32 %v2, %x
  %a3.1 = xor i32 %a3.0, %x
  %a3.2 = mul i32 %a3.1, %x
  %a3.3 = xor i32 %a3.2, %x
  %a3.4 = mul i32 %a3.3, %x
  %a3.5 = xor i32 %a3.4, %x
  %a3.6 = mul i32 %a3.5, %x
  %a3.7 = xor i32 %a3.6, %x
  %a3.8 = mul i32 %a3.7, %x
  %a3.9 = xor i32 %a3.8, %x
  br label %join3
join3:
  %v3 = phi i32 [ %a3.9, %arm3 ], [ %v2, %join2 ]
  br i1 %c4, label %arm4, label %join4
arm4:
  %a4.0 = mul i32 %v3, %x
  %a4.1 = xor i32 %a4.0, %x
  %a4.2 = mul i32 %a4.1, %x
  %a4.3 = xor i32 %a4.2, %x
  %a4.4 = mul i32 %a4.3, %x
  %a4.5 = xor i32 %a4.4, %x
  %a4.6 = mul i32 %a4.5, %x
  %a4.7 = xor i32 %a4.6, %x
  %a4.8 = mul i32 %a4.7, %x
  %a4.9 = xor i32 %a4.8, %x
  br label %join4
join4:
  %v4 = phi i32 [ %a4.9, %arm4 ], [ %v3, %join3 ]
  br i1 %c5, label %arm5, label %join5
arm5:
  %a5.0 = mul i32 %v4, %x
  %a5.1 = xor i32 %a5.0, %x
  %a5.2 = mul i32 %a5.1, %x
  %a5.3 = xor i32 %a5.2, %x
  %a5.4 = mul i32 %a5.3, %x
  %a5.5 = xor i32 %a5.4, %x
  %a5.6 = mul i32 %a5.5, %x
  %a5.7 = xor i32 %a5.6, %x
  %a5.8 = mul i32 %a5.7, %x
  %a5.9 = xor i32 %a5.8, %x
  br label %join5
join5:
  %v5 = phi i32 [ %a5.9, %arm5 ], [ %v4, %join4 ]
  br i1 %c6, label %arm6, label %join6
arm6:
  %a6.0 = mul i32 %v5, %x
  %a6.1 = xor i32 %a6.0, %x
  %a6.2 = mul i32 %a6.1, %x
  %a6.3 = xor i32 %a6.2, %x
  %a6.4 = mul i32 %a6.3, %x
  %a6.5 = xor i32 %a6.4, %x
  %a6.6 = mul i32 %a6.5, %x
  %a6.7 = xor i32 %a6.6, %x
  %a6.8 = mul i32 %a6.7, %x
  %a6.9 = xor i32 %a6.8, %x
  br label %join6
join6:
  %v6 = phi i32 [ %a6.9, %arm6 ], [ %v5, %join5 ]
  br i1 %c7, label %arm7, label %join7
arm7:
  %a7.0 = mul i32 %v6, %x
  %a7.1 = xor i32 %a7.0, %x
  %a7.2 = mul i32 %a7.1, %x
  %a7.3 = xor i32 %a7.2, %x
  %a7.4 = mul i32 %a7.3, %x
  %a7.5 = xor i32 %a7.4, %x
  %a7.6 = mul i32 %a7.5, %x
  %a7.7 = xor i32 %a7.6, %x
  %a7.8 = mul i32 %a7.7, %x
  %a7.9 = sub i32 %x, 1 ; last
  br label %join7
join7:
  %v7 = phi i32 [ %a7.9, %arm7 ], [ %v6, %join6 ]
  store volatile i1024 %big, ptr addrspace(1) %p
  store volatile i32 %v7, ptr addrspace(1) %p
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
