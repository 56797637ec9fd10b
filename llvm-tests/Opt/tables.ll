; Arrays of nothing but constants, read at an index that stays unknown, become tables.
; RUN: %opt -passes=warpalloc-promote -verify-each -S %s | %FileCheck %s
; RUN: %opt -passes=warpalloc-promote -pass-remarks=warpalloc-promote -disable-output %s 2>&1 | %FileCheck %s --check-prefix=REMARK
; Where the space of constants is nearly full a table goes to global memory.
; RUN: sed -e 's/^; FULL //' %s | %opt -passes=warpalloc-promote -S | %FileCheck %s --check-prefix=FULL
; RUN: %llc -mcpu=sm_90 -warpalloc-prepare %s -o - | %FileCheck %s --check-prefix=PTX

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; FULL @full = addrspace(4) constant [32720 x i8] zeroinitializer
; FULL: @together_table = private unnamed_addr addrspace(1) constant

; The parts of a table: what a later write leaves of an earlier one, in bytes; zero where
; nothing is written.
; CHECK-DAG: @together_table = private unnamed_addr addrspace(4) constant [64 x i8] c"\01\00\00\00\00\00\80?\03\05\04\05{{(.00)*}}", align 4
; CHECK-DAG: @apart_table = private unnamed_addr addrspace(1) constant [64 x i8] c"{{(.07)*}}\00\00\00\80", align 8
; CHECK-DAG: @loop_table = private unnamed_addr addrspace(4) constant [64 x i8]
; CHECK-DAG: @filled_table = private unnamed_addr addrspace(4) constant [512 x i8] c"\00\00\00\00\00\00\00?\00\00\00@\00\00\90@
; CHECK-DAG: @copied_table = private unnamed_addr addrspace(1) constant [64 x i8] zeroinitializer
; CHECK-NOT: _table =

; REMARK: remark: {{.*}}a local array becomes a table of 64 bytes in the space of constants: nothing but constants is written to it
; REMARK: remark: {{.*}}a local array becomes a table of 64 bytes in global memory: nothing but constants is written to it

; All threads read one place.
; CHECK-LABEL: define ptx_kernel void @together
; CHECK-NOT: alloca
; CHECK-NOT: store i
; CHECK: load i32
; CHECK: ret void
; PTX-LABEL: .entry together(
; PTX-NOT: .local
; PTX: ld.const.b32
; PTX: ret;
define ptx_kernel void @together(i32 %i, ptr addrspace(1) %out) {
  %a = alloca [16 x i32], align 4
  call void @llvm.lifetime.start.p0(ptr %a)
  store <4 x i8> <i8 1, i8 0, i8 0, i8 0>, ptr %a
  %1 = getelementptr inbounds i8, ptr %a, i64 4
  store float 1.0, ptr %1
  %2 = getelementptr inbounds i8, ptr %a, i64 8
  store i32 84149507, ptr %2
  %from = getelementptr inbounds i32, ptr %a, i32 %i
  %x = load i32, ptr %from
  call void @llvm.lifetime.end.p0(ptr %a)
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; Threads read different places, and one read has another width.
; CHECK-LABEL: define ptx_kernel void @apart
; CHECK-NOT: alloca
; CHECK: ret void
; PTX-LABEL: .entry apart(
; PTX-NOT: .local
; PTX: ld.global.nc.b64
; PTX: ret;
define ptx_kernel void @apart(ptr addrspace(1) %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = alloca [8 x i64], align 8
  call void @llvm.memset.p0.i64(ptr %a, i8 7, i64 64, i1 false)
  %end = getelementptr inbounds i8, ptr %a, i64 60
  store i32 -2147483648, ptr %end
  %from = getelementptr inbounds i64, ptr %a, i32 %i
  %x = load i64, ptr %from
  %part = getelementptr inbounds i32, ptr %a, i32 %i
  %y = load i32, ptr %part
  %wide = zext i32 %y to i64
  %sum = add i64 %x, %wide
  store i64 %sum, ptr addrspace(1) %out
  ret void
}

; Written again each time around, with the same.
; CHECK-LABEL: define ptx_kernel void @loop
; CHECK-NOT: alloca
; CHECK: ret void
define ptx_kernel void @loop(i32 %n, ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %a = alloca [16 x i32]
  br label %around
around:
  %k = phi i32 [ 0, %entry ], [ %next, %inside ]
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %a
  br label %inside
inside:
  %i = load i32, ptr addrspace(1) %in
  %from = getelementptr inbounds i32, ptr %a, i32 %i
  %x = load i32, ptr %from
  store volatile i32 %x, ptr addrspace(1) %out
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %around, label %done
done:
  ret void
}

; A copy that may read from elsewhere.
; CHECK-LABEL: define ptx_kernel void @copied
; CHECK-NOT: alloca
; CHECK: ret void
define ptx_kernel void @copied(ptr %p, ptr %to, i1 %c) {
entry:
  %zeros = alloca [16 x i32]
  call void @llvm.memset.p0.i64(ptr %zeros, i8 0, i64 64, i1 false)
  br i1 %c, label %outside, label %end
outside:
  br label %end
end:
  %from = phi ptr [ %p, %outside ], [ %zeros, %entry ]
  store i32 1, ptr %to
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 64, i1 false)
  ret void
}

; Filled by a loop, which is unrolled for that.
; CHECK-LABEL: define ptx_kernel void @filled
; CHECK-NOT: alloca
; CHECK-NOT: phi
; CHECK: ret void
define ptx_kernel void @filled(i32 %i, ptr addrspace(1) %out) {
entry:
  %a = alloca [128 x float]
  br label %around
around:
  %k = phi i32 [ 0, %entry ], [ %next, %around ]
  %square = mul i32 %k, %k
  %number = sitofp i32 %square to float
  %half = fmul float %number, 5.000000e-01
  %to = getelementptr inbounds float, ptr %a, i32 %k
  store float %half, ptr %to
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, 128
  br i1 %more, label %around, label %done
done:
  %from = getelementptr inbounds float, ptr %a, i32 %i
  %x = load float, ptr %from
  store float %x, ptr addrspace(1) %out
  ret void
}

; A loop that fills with what it does not know stays.
; CHECK-LABEL: define ptx_kernel void @filled_with_unknown
; CHECK: alloca
; CHECK: phi
define ptx_kernel void @filled_with_unknown(i32 %i, i32 %v, ptr addrspace(1) %out) {
entry:
  %a = alloca [128 x i32]
  br label %around
around:
  %k = phi i32 [ 0, %entry ], [ %next, %around ]
  %sum = add i32 %k, %v
  %to = getelementptr inbounds i32, ptr %a, i32 %k
  store i32 %sum, ptr %to
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, 128
  br i1 %more, label %around, label %done
done:
  %from = getelementptr inbounds i32, ptr %a, i32 %i
  %x = load i32, ptr %from
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; What is read may not have been written yet, or be something else already.
; CHECK-LABEL: define ptx_kernel void @early
; CHECK: alloca
define ptx_kernel void @early(i32 %i, i1 %c, ptr addrspace(1) %out) {
entry:
  %a = alloca [16 x i32]
  br i1 %c, label %write, label %read
write:
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %a
  br label %read
read:
  %from = getelementptr inbounds i32, ptr %a, i32 %i
  %x = load i32, ptr %from
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @between
; CHECK: alloca
define ptx_kernel void @between(i32 %i, ptr addrspace(1) %out) {
  %a = alloca [16 x i32]
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %a
  %from = getelementptr inbounds i32, ptr %a, i32 %i
  %x = load i32, ptr %from
  store i32 7, ptr %a
  %y = load i32, ptr %from
  %sum = add i32 %x, %y
  store i32 %sum, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unknown_place
; CHECK: alloca
define ptx_kernel void @unknown_place(i32 %i, i32 %j, ptr addrspace(1) %out) {
  %a = alloca [16 x i32]
  %to = getelementptr inbounds i32, ptr %a, i32 %j
  store i32 7, ptr %to
  %from = getelementptr inbounds i32, ptr %a, i32 %i
  %x = load i32, ptr %from
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @unknown_value
; CHECK: alloca
define ptx_kernel void @unknown_value(i32 %i, i32 %v, ptr addrspace(1) %out) {
  %a = alloca [16 x i32]
  store i32 %v, ptr %a
  %from = getelementptr inbounds i32, ptr %a, i32 %i
  %x = load i32, ptr %from
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; An address that is nobody else's knows who reads it.
; CHECK-LABEL: define ptx_kernel void @escapes
; CHECK: alloca
define ptx_kernel void @escapes(i32 %i, ptr addrspace(1) %out) {
  %a = alloca [16 x i32]
  store i32 7, ptr %a
  call void @write(ptr %a)
  %from = getelementptr inbounds i32, ptr %a, i32 %i
  %x = load i32, ptr %from
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @volatile
; CHECK: alloca
define ptx_kernel void @volatile(i32 %i, ptr addrspace(1) %out) {
  %a = alloca [16 x i32]
  store i32 7, ptr %a
  %from = getelementptr inbounds i32, ptr %a, i32 %i
  %x = load volatile i32, ptr %from
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; A table does not lie in the space that this address is one of.
; CHECK-LABEL: define ptx_kernel void @other_space
; CHECK: alloca
define ptx_kernel void @other_space(i32 %i, ptr addrspace(1) %out) {
  %a = alloca [16 x i32]
  store i32 7, ptr %a
  %local = addrspacecast ptr %a to ptr addrspace(5)
  %from = getelementptr inbounds i32, ptr addrspace(5) %local, i32 %i
  %x = load i32, ptr addrspace(5) %from
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @to_be_kept
; CHECK: alloca
define ptx_kernel void @to_be_kept(i32 %i, ptr addrspace(1) %out) noinline optnone {
  %a = alloca [16 x i32]
  store i32 7, ptr %a
  %from = getelementptr inbounds i32, ptr %a, i32 %i
  %x = load i32, ptr %from
  store i32 %x, ptr addrspace(1) %out
  ret void
}

declare void @write(ptr)
