; What simplify's order leaves without registers is coloured again from the last use to the
; first: within the registers that are live at once this kernel fits in no other order.
; RUN: %gpu -mcpu=sm_90 -warpalloc-spills=here -warpalloc-prepare=0 -nvptx-regalloc-pressure-limit=64 -print-regalloc-stats %s -o /dev/null 2>%t.stats
; RUN: %FileCheck %s <%t.stats
; RUN: %gpu -mcpu=sm_90 -warpalloc-spills=here -warpalloc-prepare=0 -warpalloc-disable=last-uses -nvptx-regalloc-pressure-limit=64 -print-regalloc-stats %s -o /dev/null 2>%t.without.stats
; RUN: %FileCheck %s --check-prefix=WITHOUT <%t.without.stats

; CHECK:   function=loop used.R=11 maxlive.R=11
; WITHOUT: function=loop used.R=12 maxlive.R=11
target triple = "nvptx64-nvidia-cuda"

%0 = type { %1 }
%1 = type { [259 x i32] }

@global = external addrspace(3) global %0

define ptx_kernel void @loop(ptr %arg, i32 %arg1, ptr %arg2) {
bb:
  %load = load i32, ptr null, align 4
  %icmp = icmp slt i32 0, %load
  br i1 %icmp, label %bb3, label %bb4

bb3:
  br label %bb3

bb4:
  %phi = phi i32 [ %or, %bb4 ], [ 0, %bb ]
  %sext = sext i32 %phi to i64
  %getelementptr = getelementptr i8, ptr %arg, i64 %sext
  %load5 = load volatile i16, ptr null, align 2
  %load6 = load volatile i16, ptr null, align 2
  %load7 = load i16, ptr null, align 2
  %load8 = load volatile i16, ptr inttoptr (i64 8 to ptr), align 2
  %load9 = load i16, ptr null, align 2
  %getelementptr10 = getelementptr i8, ptr %getelementptr, i64 10
  %call = tail call i16 asm sideeffect "{   .reg .u8 datum;    ld.global.nc.u8 datum, [$1];    cvt.u16.u8 $0, datum;}", "=h,l"(ptr %getelementptr10)
  %zext = zext i16 %load5 to i64
  %getelementptr11 = getelementptr i32, ptr %arg2, i64 %zext
  %atomicrmw = atomicrmw add ptr %getelementptr11, i32 0 monotonic, align 4
  %zext12 = zext i16 %load7 to i64
  %getelementptr13 = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @global to ptr), i64 %zext12
  %atomicrmw14 = atomicrmw add ptr %getelementptr13, i32 0 monotonic, align 4
  %zext15 = zext i16 %load8 to i64
  %getelementptr16 = getelementptr i32, ptr %arg2, i64 %zext15
  %atomicrmw17 = atomicrmw add ptr %getelementptr16, i32 0 monotonic, align 4
  %zext18 = zext i16 %load9 to i64
  %getelementptr19 = getelementptr i32, ptr %arg2, i64 %zext18
  %atomicrmw20 = atomicrmw add ptr %getelementptr19, i32 0 monotonic, align 4
  %atomicrmw21 = atomicrmw add ptr null, i32 0 monotonic, align 4
  %or = or i32 %phi, %arg1
  br label %bb4
}
