; Tiles: the target's spill code brings registers of its own, so that there is a
; second round. None survives a call.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %s -o - | FileCheck %s

declare x86_amx @llvm.x86.tileloadd64.internal(i16, i16, ptr, i64)
declare x86_amx @llvm.x86.tdpbssd.internal(i16, i16, i16, x86_amx, x86_amx, x86_amx)
declare void @llvm.x86.tilestored64.internal(i16, i16, ptr, i64, x86_amx)
declare void @g()

define void @across_call(ptr %p, i16 %r, i16 %c) nounwind #0 {
; CHECK-LABEL: across_call:
; CHECK:         ldtilecfg
; CHECK:         tileloadd (%rdi,%{{r[a-z0-9]+}}), %tmm[[A:[0-7]]]
; CHECK:         tilestored %tmm[[A]], {{[0-9]+}}(%rsp,%{{r[a-z0-9]+}}) # 1024-byte Folded Spill
; CHECK:         tileloadd (%rdi,%{{r[a-z0-9]+}}), %tmm[[B:[0-7]]]
; CHECK:         tilestored %tmm[[B]], {{[0-9]+}}(%rsp,%{{r[a-z0-9]+}}) # 1024-byte Folded Spill
; CHECK:         callq g@PLT
; CHECK-NEXT:    ldtilecfg
; CHECK-COUNT-2: tileloadd {{.*}} # 1024-byte Folded Reload
; CHECK:         tdpbssd
; CHECK:         tilestored
; CHECK:         tilerelease
  %a = call x86_amx @llvm.x86.tileloadd64.internal(i16 %r, i16 %c, ptr %p, i64 64)
  %b = call x86_amx @llvm.x86.tileloadd64.internal(i16 %r, i16 %c, ptr %p, i64 32)
  call void @g()
  %e = call x86_amx @llvm.x86.tdpbssd.internal(i16 %r, i16 %c, i16 %c, x86_amx %a, x86_amx %a, x86_amx %b)
  call void @llvm.x86.tilestored64.internal(i16 %r, i16 %c, ptr %p, i64 64, x86_amx %e)
  ret void
}

; Without a call they stay in registers.
define void @in_registers(ptr %p, i16 %r, i16 %c) nounwind #0 {
; CHECK-LABEL: in_registers:
; CHECK-NOT:     Spill
; CHECK:         tdpbssd %tmm{{[0-7]}}, %tmm{{[0-7]}}, %tmm[[E:[0-7]]]
; CHECK-NEXT:    tilestored %tmm[[E]], (%rdi,
; CHECK-NOT:     Reload
; CHECK:         tilerelease
  %a = call x86_amx @llvm.x86.tileloadd64.internal(i16 %r, i16 %c, ptr %p, i64 64)
  %b = call x86_amx @llvm.x86.tileloadd64.internal(i16 %r, i16 %c, ptr %p, i64 32)
  %e = call x86_amx @llvm.x86.tdpbssd.internal(i16 %r, i16 %c, i16 %c, x86_amx %b, x86_amx %a, x86_amx %a)
  call void @llvm.x86.tilestored64.internal(i16 %r, i16 %c, ptr %p, i64 64, x86_amx %e)
  ret void
}

attributes #0 = { "target-features"="+amx-int8,+amx-tile,+avx512f" }
