; References in registers and stack slots while a collector moves the objects: at each
; call of @allocate the statepoint reads every live reference and defines it anew.
; opt: rewrite-statepoints-for-gc
; llc: -max-registers-for-gc-values=4 -fixup-allow-gcptr-in-csr
; runtime: runtime/statepoints.c

; The runtime reads the map of the references.
module asm ".globl __LLVM_StackMaps"

; %object = type { i64 value, ptr addrspace(1) left, ptr addrspace(1) right }
declare ptr addrspace(1) @allocate(ptr addrspace(1), ptr addrspace(1))
declare void @note(i64) "gc-leaf-function"

; A tree; what its nodes hold is noted on the way back, after all moves.
define ptr addrspace(1) @tree(i32 %depth) uwtable gc "statepoint-example" {
entry:
  %last = icmp eq i32 %depth, 0
  br i1 %last, label %leaf, label %inner
leaf:
  %new = call ptr addrspace(1) @allocate(ptr addrspace(1) null, ptr addrspace(1) null)
  ret ptr addrspace(1) %new
inner:
  %less = sub i32 %depth, 1
  %left = call ptr addrspace(1) @tree(i32 %less)
  %right = call ptr addrspace(1) @tree(i32 %less)
  %node = call ptr addrspace(1) @allocate(ptr addrspace(1) %left, ptr addrspace(1) %right)
  %a = load i64, ptr addrspace(1) %left
  call void @note(i64 %a)
  %b = load i64, ptr addrspace(1) %right
  call void @note(i64 %b)
  %c = load i64, ptr addrspace(1) %node
  call void @note(i64 %c)
  ret ptr addrspace(1) %node
}

; Fourteen references go round a loop, with an address within one of the objects.
define void @many(i64 %rounds) uwtable gc "statepoint-example" {
entry:
  %a0 = call ptr addrspace(1) @allocate(ptr addrspace(1) null, ptr addrspace(1) null)
  %a1 = call ptr addrspace(1) @allocate(ptr addrspace(1) %a0, ptr addrspace(1) null)
  %a2 = call ptr addrspace(1) @allocate(ptr addrspace(1) %a1, ptr addrspace(1) %a1)
  %a3 = call ptr addrspace(1) @allocate(ptr addrspace(1) %a2, ptr addrspace(1) %a1)
  %a4 = call ptr addrspace(1) @allocate(ptr addrspace(1) %a3, ptr addrspace(1) %a2)
  %a5 = call ptr addrspace(1) @allocate(ptr addrspace(1) %a4, ptr addrspace(1) %a2)
  %a6 = call ptr addrspace(1) @allocate(ptr addrspace(1) %a5, ptr addrspace(1) %a3)
  %a7 = call ptr addrspace(1) @allocate(ptr addrspace(1) %a6, ptr addrspace(1) %a3)
  %a8 = call ptr addrspace(1) @allocate(ptr addrspace(1) %a7, ptr addrspace(1) %a4)
  %a9 = call ptr addrspace(1) @allocate(ptr addrspace(1) %a8, ptr addrspace(1) %a4)
  %a10 = call ptr addrspace(1) @allocate(ptr addrspace(1) %a9, ptr addrspace(1) %a5)
  %a11 = call ptr addrspace(1) @allocate(ptr addrspace(1) %a10, ptr addrspace(1) %a5)
  %a12 = call ptr addrspace(1) @allocate(ptr addrspace(1) %a11, ptr addrspace(1) %a6)
  %a13 = call ptr addrspace(1) @allocate(ptr addrspace(1) %a12, ptr addrspace(1) %a6)
  br label %loop
loop:
  %round = phi i64 [ 0, %entry ], [ %next, %loop ]
  %b0 = phi ptr addrspace(1) [ %a0, %entry ], [ %b1, %loop ]
  %b1 = phi ptr addrspace(1) [ %a1, %entry ], [ %b2, %loop ]
  %b2 = phi ptr addrspace(1) [ %a2, %entry ], [ %b3, %loop ]
  %b3 = phi ptr addrspace(1) [ %a3, %entry ], [ %b4, %loop ]
  %b4 = phi ptr addrspace(1) [ %a4, %entry ], [ %b5, %loop ]
  %b5 = phi ptr addrspace(1) [ %a5, %entry ], [ %b6, %loop ]
  %b6 = phi ptr addrspace(1) [ %a6, %entry ], [ %b7, %loop ]
  %b7 = phi ptr addrspace(1) [ %a7, %entry ], [ %b8, %loop ]
  %b8 = phi ptr addrspace(1) [ %a8, %entry ], [ %b9, %loop ]
  %b9 = phi ptr addrspace(1) [ %a9, %entry ], [ %b10, %loop ]
  %b10 = phi ptr addrspace(1) [ %a10, %entry ], [ %b11, %loop ]
  %b11 = phi ptr addrspace(1) [ %a11, %entry ], [ %b12, %loop ]
  %b12 = phi ptr addrspace(1) [ %a12, %entry ], [ %b13, %loop ]
  %b13 = phi ptr addrspace(1) [ %a13, %entry ], [ %new, %loop ]
  %odd = trunc i64 %round to i1
  %offset = select i1 %odd, i64 8, i64 16
  %which = select i1 %odd, ptr addrspace(1) %b2, ptr addrspace(1) %b9
  %field = getelementptr i8, ptr addrspace(1) %which, i64 %offset
  %new = call ptr addrspace(1) @allocate(ptr addrspace(1) %b5, ptr addrspace(1) %b11)
  ; An object of the last round, so that not all objects live for ever.
  store ptr addrspace(1) %new, ptr addrspace(1) %field
  %second = call ptr addrspace(1) @allocate(ptr addrspace(1) %new, ptr addrspace(1) %b0)
  %left = getelementptr i8, ptr addrspace(1) %b13, i64 8
  store ptr addrspace(1) null, ptr addrspace(1) %left
  %v0 = load i64, ptr addrspace(1) %b0
  call void @note(i64 %v0)
  %v1 = load i64, ptr addrspace(1) %b1
  call void @note(i64 %v1)
  %v2 = load i64, ptr addrspace(1) %b2
  call void @note(i64 %v2)
  %v3 = load i64, ptr addrspace(1) %b3
  call void @note(i64 %v3)
  %v4 = load i64, ptr addrspace(1) %b4
  call void @note(i64 %v4)
  %v5 = load i64, ptr addrspace(1) %b5
  call void @note(i64 %v5)
  %v6 = load i64, ptr addrspace(1) %b6
  call void @note(i64 %v6)
  %v7 = load i64, ptr addrspace(1) %b7
  call void @note(i64 %v7)
  %v8 = load i64, ptr addrspace(1) %b8
  call void @note(i64 %v8)
  %v9 = load i64, ptr addrspace(1) %b9
  call void @note(i64 %v9)
  %v10 = load i64, ptr addrspace(1) %b10
  call void @note(i64 %v10)
  %v11 = load i64, ptr addrspace(1) %b11
  call void @note(i64 %v11)
  %v12 = load i64, ptr addrspace(1) %b12
  call void @note(i64 %v12)
  %v13 = load i64, ptr addrspace(1) %b13
  call void @note(i64 %v13)
  %w = load i64, ptr addrspace(1) %second
  call void @note(i64 %w)
  %next = add i64 %round, 1
  %done = icmp eq i64 %next, %rounds
  br i1 %done, label %end, label %loop
end:
  %e0 = load i64, ptr addrspace(1) %b0
  call void @note(i64 %e0)
  %e1 = load i64, ptr addrspace(1) %b1
  call void @note(i64 %e1)
  %e2 = load i64, ptr addrspace(1) %b2
  call void @note(i64 %e2)
  %e3 = load i64, ptr addrspace(1) %b3
  call void @note(i64 %e3)
  %e4 = load i64, ptr addrspace(1) %b4
  call void @note(i64 %e4)
  %e5 = load i64, ptr addrspace(1) %b5
  call void @note(i64 %e5)
  %e6 = load i64, ptr addrspace(1) %b6
  call void @note(i64 %e6)
  %e7 = load i64, ptr addrspace(1) %b7
  call void @note(i64 %e7)
  %e8 = load i64, ptr addrspace(1) %b8
  call void @note(i64 %e8)
  %e9 = load i64, ptr addrspace(1) %b9
  call void @note(i64 %e9)
  %e10 = load i64, ptr addrspace(1) %b10
  call void @note(i64 %e10)
  %e11 = load i64, ptr addrspace(1) %b11
  call void @note(i64 %e11)
  %e12 = load i64, ptr addrspace(1) %b12
  call void @note(i64 %e12)
  %e13 = load i64, ptr addrspace(1) %b13
  call void @note(i64 %e13)
  ret void
}
