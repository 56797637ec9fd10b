; A loop with many phis and nested control flow: with LLVM's coalescer off, ours
; leaves no more moves than LLVM's does.
; RUN: %gpu -mcpu=sm_90 %s -o %t.llvm.ptx
; RUN: %gpu -mcpu=sm_90 -join-liveintervals=false %s -o %t.ptx
; RUN: %FileCheck %s <%t.llvm.ptx
; RUN: %FileCheck %s <%t.ptx
; RUN: grep -c "mov.b" %t.llvm.ptx >%t.llvm.count
; RUN: grep -c "mov.b" %t.ptx >%t.count
; RUN: cat %t.count %t.llvm.count | sort -n -c
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .visible .entry collatz(
define ptx_kernel void @collatz(ptr addrspace(1) %p, i32 %n) {
entry:
  %x0 = load volatile i32, ptr addrspace(1) %p
  %m0 = load volatile i32, ptr addrspace(1) %p
  br label %loop

loop:
  %x = phi i32 [ %x0, %entry ], [ %x1, %latch ]
  %steps = phi i32 [ 0, %entry ], [ %steps1, %latch ]
  %highest = phi i32 [ %m0, %entry ], [ %highest1, %latch ]
  %last = phi i32 [ %n, %entry ], [ %x, %latch ]
  %low = and i32 %x, 1
  %odd = icmp ne i32 %low, 0
  store volatile i32 %last, ptr addrspace(1) %p
  br i1 %odd, label %triple, label %halve

triple:
  %t = mul i32 %x, 3
  %t1 = add i32 %t, 1
  store volatile i32 1, ptr addrspace(1) %p
  br label %latch

halve:
  %h = lshr i32 %x, 1
  store volatile i32 0, ptr addrspace(1) %p
  br label %latch

latch:
  %x1 = phi i32 [ %t1, %triple ], [ %h, %halve ]
  %kind = phi i32 [ %t, %triple ], [ %highest, %halve ]
  %steps1 = add i32 %steps, 1
  %above = icmp ugt i32 %x1, %highest
  %highest1 = select i1 %above, i32 %x1, i32 %kind
  %done = icmp eq i32 %x1, 1
  br i1 %done, label %exit, label %loop

exit:
  store volatile i32 %steps1, ptr addrspace(1) %p
  store volatile i32 %highest1, ptr addrspace(1) %p
  ret void
}
