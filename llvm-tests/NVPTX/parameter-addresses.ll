; A parameter whose address is taken in one block and loaded from in another is loaded by its
; name, and under pressure loaded again instead of being stored.
; RUN: %gpu -mcpu=sm_90 -verify-machineinstrs %s -o - | %FileCheck %s
; RUN: %gpu -mcpu=sm_90 -verify-machineinstrs -nvptx-regalloc-pressure-limit=10 \
; RUN:   -warpalloc-disable=uniform -print-regalloc-stats %s -o %t.ptx 2>%t.err
; RUN: %FileCheck %s --check-prefix=STATS <%t.err
; RUN: %FileCheck %s --check-prefix=AGAIN <%t.ptx
; RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

%parameters = type { [4 x i32], i32, i64, [8 x i32] }

; What has an index that is known only when the kernel runs needs the address.
; CHECK-LABEL: .entry two_blocks(
; CHECK:         mov.b64 [[P:%rd[0-9]+]], two_blocks_param_1;
; CHECK:         ld.param.b32 {{%r[0-9]+}}, [%rd{{[0-9]+}}];
; CHECK-NOT:     {{\[}}[[P]]+
; CHECK:         ld.param.b64 {{%rd[0-9]+}}, [two_blocks_param_1+24];
; CHECK:         ld.param.b32 {{%r[0-9]+}}, [two_blocks_param_1+32];
define ptx_kernel void @two_blocks(ptr addrspace(1) %out, ptr byval(%parameters) align 8 %p, i32 %place) {
entry:
  %index = sext i32 %place to i64
  %at = getelementptr i32, ptr %p, i64 %index
  %first = load i32, ptr %at
  %q = getelementptr i8, ptr %p, i64 16
  %a = load i32, ptr %q
  %c = icmp eq i32 %a, %first
  br i1 %c, label %left, label %right
left:
  %q1 = getelementptr i8, ptr %p, i64 24
  %b = load i64, ptr %q1
  store i64 %b, ptr addrspace(1) %out
  br label %end
right:
  %q2 = getelementptr i8, ptr %p, i64 32
  %d = load i32, ptr %q2
  store i32 %d, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

; Nothing is left of an address that nothing else reads.
; CHECK-LABEL: .entry loaded_only(
; CHECK-NOT:     mov.b64 {{.*}}, loaded_only_param
; CHECK:         ret;
; STATS: function=loaded_only {{.*}}spilled=0 stores=0 reloads=0 remats={{[1-9]}}
; AGAIN-LABEL: .entry loaded_only(
; AGAIN-NOT:     .local
; AGAIN:         ld.param.b32 {{%r[0-9]+}}, [loaded_only_param_1+32];
; AGAIN:         ld.param.b32 {{%r[0-9]+}}, [loaded_only_param_1+32];
; AGAIN:         ret;
define ptx_kernel void @loaded_only(ptr addrspace(1) %out, ptr byval(%parameters) align 8 %p) {
entry:
  %q = getelementptr i8, ptr %p, i64 16
  %a = load i32, ptr %q
  %c = icmp eq i32 %a, 0
  br i1 %c, label %work, label %end
work:
  %q1 = getelementptr i8, ptr %p, i64 32
  %k = load i32, ptr %q1
  store volatile i32 %k, ptr addrspace(1) %out
  %v0 = load volatile i32, ptr addrspace(1) %out
  %v1 = load volatile i32, ptr addrspace(1) %out
  %v2 = load volatile i32, ptr addrspace(1) %out
  %v3 = load volatile i32, ptr addrspace(1) %out
  %v4 = load volatile i32, ptr addrspace(1) %out
  %v5 = load volatile i32, ptr addrspace(1) %out
  %v6 = load volatile i32, ptr addrspace(1) %out
  %v7 = load volatile i32, ptr addrspace(1) %out
  store volatile i32 %v0, ptr addrspace(1) %out
  store volatile i32 %v1, ptr addrspace(1) %out
  store volatile i32 %v2, ptr addrspace(1) %out
  store volatile i32 %v3, ptr addrspace(1) %out
  store volatile i32 %v4, ptr addrspace(1) %out
  store volatile i32 %v5, ptr addrspace(1) %out
  store volatile i32 %v6, ptr addrspace(1) %out
  store volatile i32 %v7, ptr addrspace(1) %out
  store volatile i32 %k, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

define i32 @other(i32 %x) noinline {
  %y = mul i32 %x, 3
  ret i32 %y
}

; The result of a call is in a parameter as well, which the next call writes.
; CHECK-LABEL: .entry result(
; CHECK:         ld.param.b32 [[R:%r[0-9]+]], [retval0];
; AGAIN-LABEL: .entry result(
; AGAIN-COUNT-2: ld.param.b32 {{%r[0-9]+}}, [retval0];
; AGAIN-NOT:     [retval0]
; AGAIN:         ret;
define ptx_kernel void @result(ptr addrspace(1) %out) {
  %a = call i32 @other(i32 1)
  %b = call i32 @other(i32 2)
  %v0 = load volatile i32, ptr addrspace(1) %out
  %v1 = load volatile i32, ptr addrspace(1) %out
  %v2 = load volatile i32, ptr addrspace(1) %out
  %v3 = load volatile i32, ptr addrspace(1) %out
  %v4 = load volatile i32, ptr addrspace(1) %out
  %v5 = load volatile i32, ptr addrspace(1) %out
  %v6 = load volatile i32, ptr addrspace(1) %out
  %v7 = load volatile i32, ptr addrspace(1) %out
  store volatile i32 %v0, ptr addrspace(1) %out
  store volatile i32 %v1, ptr addrspace(1) %out
  store volatile i32 %v2, ptr addrspace(1) %out
  store volatile i32 %v3, ptr addrspace(1) %out
  store volatile i32 %v4, ptr addrspace(1) %out
  store volatile i32 %v5, ptr addrspace(1) %out
  store volatile i32 %v6, ptr addrspace(1) %out
  store volatile i32 %v7, ptr addrspace(1) %out
  store volatile i32 %a, ptr addrspace(1) %out
  store volatile i32 %b, ptr addrspace(1) %out
  ret void
}
