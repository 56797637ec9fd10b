; A landing pad finds the exception in rax and rdx, and values of the function
; where they were at the call.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare i64 @may_throw(i64)
declare i32 @__gxx_personality_v0(...)
declare void @use(ptr, i32, i64)

define i64 @values_into_pad(i64 %a, i64 %b) personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: values_into_pad:
; CHECK:         pushq [[SAVED:%rbx|%rbp|%r1[2-5]]]
; CHECK:         imulq %rdi, [[SAVED]]
; CHECK:         callq may_throw@PLT
; CHECK:       # %ok
; CHECK-NEXT:    addq [[SAVED]], %rax
; CHECK-NEXT:    popq [[SAVED]]
; CHECK:       # %pad
; CHECK:         movq %rax, %rdi
; CHECK-NEXT:    movl %edx, %esi
; CHECK-NEXT:    movq [[SAVED]], %rdx
; CHECK-NEXT:    callq use@PLT
; CHECK-NEXT:    movq [[SAVED]], %rax
; CHECK-NEXT:    popq [[SAVED]]
  %n = mul i64 %a, %b
  %v = invoke i64 @may_throw(i64 %a) to label %ok unwind label %pad
ok:
  %s = add i64 %v, %n
  ret i64 %s
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  %p = extractvalue { ptr, i32 } %lp, 0
  %sel = extractvalue { ptr, i32 } %lp, 1
  call void @use(ptr %p, i32 %sel, i64 %n)
  ret i64 %n
}

; No register holds a vector across the call. It is stored before, not between
; the call and the pad.
define double @memory_into_pad(double %x) personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: memory_into_pad:
; CHECK:         movsd %xmm0, [[SLOT:[0-9]*\(%rsp\)]] # 8-byte {{(Folded )?}}Spill
; CHECK:         callq may_throw@PLT
; CHECK-NOT:     Spill
; CHECK:       # %pad
; CHECK:         [[SLOT]], %xmm0 # 8-byte {{(Folded )?}}Reload
; CHECK:         retq
  %v = invoke i64 @may_throw(i64 1) to label %ok unwind label %pad
ok:
  ret double 1.0
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  ret double %x
}

; The exception itself lives across another call.
define void @resumed(i64 %a) personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: resumed:
; CHECK:         movq %rdi, [[A:%rbx|%rbp|%r1[2-5]]]
; CHECK:         callq may_throw@PLT
; CHECK:       # %pad
; CHECK:         movq %rax, [[E:%rbx|%rbp|%r1[2-5]]]
; CHECK-NEXT:    movq [[A]], %rdi
; CHECK-NEXT:    callq may_throw@PLT
; CHECK-NEXT:    movq [[E]], %rdi
; CHECK-NEXT:    callq _Unwind_Resume@PLT
  %v = invoke i64 @may_throw(i64 %a) to label %ok unwind label %pad
ok:
  ret void
pad:
  %lp = landingpad { ptr, i32 } cleanup
  %w = call i64 @may_throw(i64 %a)
  resume { ptr, i32 } %lp
}
