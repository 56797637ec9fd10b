; Tail calls, jump tables, computed gotos and asm goto.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare i64 @callee(i64, i64)

; The address of an indirect tail call must survive the epilogue.
define i64 @indirect_tail_call(i64 %a, i64 %b, ptr %f) nounwind {
; CHECK-LABEL: indirect_tail_call:
; CHECK:         movq %rdx, [[F:%rbx|%rbp|%r1[2-5]|\(%rsp\)]]
; CHECK:         callq callee@PLT
; CHECK:         movq [[F]], [[T:%rax|%rcx|%rdx|%rsi|%r8|%r9|%r10|%r11]]
; CHECK:         popq
; CHECK:         jmpq *[[T]] # TAILCALL
  %v = call i64 @callee(i64 %a, i64 %b)
  %r = tail call i64 %f(i64 %v, i64 1)
  ret i64 %r
}

define i64 @tail_call(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: tail_call:
; CHECK:       # %bb.0:
; CHECK-NEXT:    imulq %rdi, %rsi
; CHECK-NEXT:    jmp callee@PLT # TAILCALL
  %x = mul i64 %b, %a
  %r = tail call i64 @callee(i64 %a, i64 %x)
  ret i64 %r
}

; No copy before the jump that a case does not need.
define void @jump_table(i64 %n, ptr %p, i64 %a) nounwind {
; CHECK-LABEL: jump_table:
; CHECK:         cmpq $4, %rdi
; CHECK-NEXT:    ja
; CHECK-NOT:     mov
; CHECK:         jmpq *.LJTI{{[0-9_]+}}(,%rdi,8)
; CHECK-DAG:     negq %rdx
; CHECK-DAG:     notq %rdx
; CHECK-DAG:     incq %rdx
; CHECK-DAG:     shlq $7, %rdx
; CHECK-DAG:     bswapq %rdx
; CHECK:         movq %rdx, (%rsi)
; CHECK:       .LJTI{{[0-9_]+}}:
; CHECK-NEXT:    .quad .LBB
  switch i64 %n, label %done [
    i64 0, label %c0
    i64 1, label %c1
    i64 2, label %c2
    i64 3, label %c3
    i64 4, label %c4
  ]
c0:
  %x0 = sub i64 0, %a
  br label %done
c1:
  %x1 = xor i64 %a, -1
  br label %done
c2:
  %x2 = add i64 %a, 1
  br label %done
c3:
  %x3 = shl i64 %a, 7
  br label %done
c4:
  %x4 = call i64 @llvm.bswap.i64(i64 %a)
  br label %done
done:
  %x = phi i64 [ %a, %0 ], [ %x0, %c0 ], [ %x1, %c1 ], [ %x2, %c2 ], [ %x3, %c3 ], [ %x4, %c4 ]
  store i64 %x, ptr %p
  ret void
}
declare i64 @llvm.bswap.i64(i64)

@targets = global [2 x ptr] [ptr blockaddress(@computed_goto, %one), ptr blockaddress(@computed_goto, %two)]

define i64 @computed_goto(ptr %t, i64 %i, i64 %a) nounwind {
; CHECK-LABEL: computed_goto:
; CHECK:       # %bb.0:
; CHECK-NEXT:    jmpq *(%rdi,%rsi,8)
; CHECK:       # %one
; CHECK-NEXT:    leaq 1(%rdx,%rsi), %rax
; CHECK-NEXT:    retq
; CHECK:       # %two
; CHECK-NEXT:    leaq (%rsi,%rsi,4), %rax
; CHECK-NEXT:    retq
  %g = getelementptr ptr, ptr %t, i64 %i
  %l = load ptr, ptr %g
  indirectbr ptr %l, [label %one, label %two]
one:
  %s = add i64 %a, %i
  %x = add i64 %s, 1
  ret i64 %x
two:
  %y = mul i64 %i, 5
  ret i64 %y
}

; The output is defined on both ways out; nothing can be put behind the
; assembly.
define i64 @asm_goto(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: asm_goto:
; CHECK:         #APP
; CHECK-NEXT:    testq %rdi, %rdi
; CHECK-NEXT:    movq %rdi, %rax
; CHECK-NEXT:    jne [[ERROR:.LBB[0-9_]+]]
; CHECK-NEXT:    #NO_APP
; CHECK-NEXT:  # %bb.1: # %fall
; CHECK-NEXT:    addq %rsi, %rax
; CHECK-NEXT:    retq
; CHECK-NEXT:  [[ERROR]]: # Inline asm indirect target
; CHECK:         subq %rsi, %rax
; CHECK-NEXT:    retq
  %r = callbr i64 asm "testq $1, $1; movq $1, $0; jne ${2:l}", "=r,r,!i"(i64 %a) to label %fall [label %error]
fall:
  %s = add i64 %r, %b
  ret i64 %s
error:
  %t = sub i64 %r, %b
  ret i64 %t
}

; Code behind a call that does not return, and a block nobody reaches.
define i64 @unreachable(i64 %a, i64 %b) nounwind {
; CHECK-LABEL: unreachable:
; CHECK:         testq %rdi, %rdi
; CHECK:         {{incq|leaq 1\(}}
; CHECK:         retq
; CHECK:         callq abort@PLT
; CHECK-NOT:     retq
; CHECK:       .Lfunc_end
  %c = icmp eq i64 %a, 0
  br i1 %c, label %bad, label %good
good:
  %r = add i64 %b, 1
  ret i64 %r
bad:
  call void @abort()
  unreachable
nobody:
  ret i64 %b
}
declare void @abort() noreturn
