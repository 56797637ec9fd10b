; Without LLVM's coalescer every phi and every two-address instruction has a
; copy. Warpalloc's own coalescing removes them from the loop.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -join-liveintervals=false \
; RUN:   -print-regalloc-stats %s -o - 2>%t.err | FileCheck %s
; RUN: FileCheck %s --check-prefix=STATS <%t.err
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -join-liveintervals=false \
; RUN:   -warpalloc-disable=coalesce,hints -print-regalloc-stats %s \
; RUN:   -o - 2>&1 | FileCheck %s --check-prefix=WITHOUT

; STATS: warpalloc: function=sum {{.*}}coalesced={{[5-9]|[1-9][0-9]}} copies_left={{[0-3]}} rounds=1
; WITHOUT: warpalloc: function=sum {{.*}}spilled=0 {{.*}}rounds=1

; CHECK-LABEL: sum:
; CHECK:       [[LOOP:.LBB[0-9_]+]]: # %loop
; CHECK-NEXT:    # =>
; CHECK-NEXT:    addq (%rdi,[[I:%r[a-z0-9]+]],8), [[S:%r[a-z0-9]+]]
; CHECK-NEXT:    movq [[S]], (%rdi,[[I]],8)
; CHECK-NEXT:    incq [[I]]
; CHECK-NEXT:    cmpq %rsi, [[I]]
; CHECK-NEXT:    jb [[LOOP]]
; CHECK-NOT:     movq
; CHECK:         retq
define void @sum(ptr %p, i64 %n) nounwind {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %g = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %g
  %t = add i64 %s, %v
  store i64 %t, ptr %g
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret void
}
