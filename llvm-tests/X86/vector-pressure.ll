; SSE and AVX have 16 registers: with 16 values alive nothing is spilled, with 17
; some are, whole, in slots of their size.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -print-regalloc-stats %s \
; RUN:   -o - 2>%t.err | FileCheck %s
; RUN: FileCheck %s --check-prefix=STATS <%t.err

; CHECK-LABEL: sse16:
; CHECK-NOT:     Spill
; CHECK-NOT:     Reload
; CHECK:         retq
; STATS: function=sse16 {{.*}}used.VR128=16 maxlive.VR128=16 budget.VR128=16 spilled=0 stores=0 reloads=0
define void @sse16(ptr %p) nounwind {
  %g0 = getelementptr <4 x float>, ptr %p, i64 0
  %v0 = load volatile <4 x float>, ptr %g0
  %g1 = getelementptr <4 x float>, ptr %p, i64 1
  %v1 = load volatile <4 x float>, ptr %g1
  %g2 = getelementptr <4 x float>, ptr %p, i64 2
  %v2 = load volatile <4 x float>, ptr %g2
  %g3 = getelementptr <4 x float>, ptr %p, i64 3
  %v3 = load volatile <4 x float>, ptr %g3
  %g4 = getelementptr <4 x float>, ptr %p, i64 4
  %v4 = load volatile <4 x float>, ptr %g4
  %g5 = getelementptr <4 x float>, ptr %p, i64 5
  %v5 = load volatile <4 x float>, ptr %g5
  %g6 = getelementptr <4 x float>, ptr %p, i64 6
  %v6 = load volatile <4 x float>, ptr %g6
  %g7 = getelementptr <4 x float>, ptr %p, i64 7
  %v7 = load volatile <4 x float>, ptr %g7
  %g8 = getelementptr <4 x float>, ptr %p, i64 8
  %v8 = load volatile <4 x float>, ptr %g8
  %g9 = getelementptr <4 x float>, ptr %p, i64 9
  %v9 = load volatile <4 x float>, ptr %g9
  %g10 = getelementptr <4 x float>, ptr %p, i64 10
  %v10 = load volatile <4 x float>, ptr %g10
  %g11 = getelementptr <4 x float>, ptr %p, i64 11
  %v11 = load volatile <4 x float>, ptr %g11
  %g12 = getelementptr <4 x float>, ptr %p, i64 12
  %v12 = load volatile <4 x float>, ptr %g12
  %g13 = getelementptr <4 x float>, ptr %p, i64 13
  %v13 = load volatile <4 x float>, ptr %g13
  %g14 = getelementptr <4 x float>, ptr %p, i64 14
  %v14 = load volatile <4 x float>, ptr %g14
  %g15 = getelementptr <4 x float>, ptr %p, i64 15
  %v15 = load volatile <4 x float>, ptr %g15
  store volatile <4 x float> %v0, ptr %g0
  store volatile <4 x float> %v1, ptr %g1
  store volatile <4 x float> %v2, ptr %g2
  store volatile <4 x float> %v3, ptr %g3
  store volatile <4 x float> %v4, ptr %g4
  store volatile <4 x float> %v5, ptr %g5
  store volatile <4 x float> %v6, ptr %g6
  store volatile <4 x float> %v7, ptr %g7
  store volatile <4 x float> %v8, ptr %g8
  store volatile <4 x float> %v9, ptr %g9
  store volatile <4 x float> %v10, ptr %g10
  store volatile <4 x float> %v11, ptr %g11
  store volatile <4 x float> %v12, ptr %g12
  store volatile <4 x float> %v13, ptr %g13
  store volatile <4 x float> %v14, ptr %g14
  store volatile <4 x float> %v15, ptr %g15
  ret void
}

; CHECK-LABEL: sse17:
; CHECK:         movaps %xmm{{[0-9]+}}, -{{[0-9]+}}(%rsp) # 16-byte Spill
; CHECK:         movaps -{{[0-9]+}}(%rsp), %xmm{{[0-9]+}} # 16-byte Reload
; CHECK:         retq
; STATS: function=sse17 {{.*}}used.VR128=16 maxlive.VR128={{16|17}} budget.VR128=16 spilled={{[12]}} stores={{[12]}} reloads={{[12]}} remats=0
define void @sse17(ptr %p) nounwind {
  %g0 = getelementptr <4 x float>, ptr %p, i64 0
  %v0 = load volatile <4 x float>, ptr %g0
  %g1 = getelementptr <4 x float>, ptr %p, i64 1
  %v1 = load volatile <4 x float>, ptr %g1
  %g2 = getelementptr <4 x float>, ptr %p, i64 2
  %v2 = load volatile <4 x float>, ptr %g2
  %g3 = getelementptr <4 x float>, ptr %p, i64 3
  %v3 = load volatile <4 x float>, ptr %g3
  %g4 = getelementptr <4 x float>, ptr %p, i64 4
  %v4 = load volatile <4 x float>, ptr %g4
  %g5 = getelementptr <4 x float>, ptr %p, i64 5
  %v5 = load volatile <4 x float>, ptr %g5
  %g6 = getelementptr <4 x float>, ptr %p, i64 6
  %v6 = load volatile <4 x float>, ptr %g6
  %g7 = getelementptr <4 x float>, ptr %p, i64 7
  %v7 = load volatile <4 x float>, ptr %g7
  %g8 = getelementptr <4 x float>, ptr %p, i64 8
  %v8 = load volatile <4 x float>, ptr %g8
  %g9 = getelementptr <4 x float>, ptr %p, i64 9
  %v9 = load volatile <4 x float>, ptr %g9
  %g10 = getelementptr <4 x float>, ptr %p, i64 10
  %v10 = load volatile <4 x float>, ptr %g10
  %g11 = getelementptr <4 x float>, ptr %p, i64 11
  %v11 = load volatile <4 x float>, ptr %g11
  %g12 = getelementptr <4 x float>, ptr %p, i64 12
  %v12 = load volatile <4 x float>, ptr %g12
  %g13 = getelementptr <4 x float>, ptr %p, i64 13
  %v13 = load volatile <4 x float>, ptr %g13
  %g14 = getelementptr <4 x float>, ptr %p, i64 14
  %v14 = load volatile <4 x float>, ptr %g14
  %g15 = getelementptr <4 x float>, ptr %p, i64 15
  %v15 = load volatile <4 x float>, ptr %g15
  %g16 = getelementptr <4 x float>, ptr %p, i64 16
  %v16 = load volatile <4 x float>, ptr %g16
  store volatile <4 x float> %v0, ptr %g0
  store volatile <4 x float> %v1, ptr %g1
  store volatile <4 x float> %v2, ptr %g2
  store volatile <4 x float> %v3, ptr %g3
  store volatile <4 x float> %v4, ptr %g4
  store volatile <4 x float> %v5, ptr %g5
  store volatile <4 x float> %v6, ptr %g6
  store volatile <4 x float> %v7, ptr %g7
  store volatile <4 x float> %v8, ptr %g8
  store volatile <4 x float> %v9, ptr %g9
  store volatile <4 x float> %v10, ptr %g10
  store volatile <4 x float> %v11, ptr %g11
  store volatile <4 x float> %v12, ptr %g12
  store volatile <4 x float> %v13, ptr %g13
  store volatile <4 x float> %v14, ptr %g14
  store volatile <4 x float> %v15, ptr %g15
  store volatile <4 x float> %v16, ptr %g16
  ret void
}

; CHECK-LABEL: avx16:
; CHECK-NOT:     Spill
; CHECK-NOT:     Reload
; CHECK:         retq
; STATS: function=avx16 {{.*}}used.VR256=16 maxlive.VR256=16 budget.VR256=16 spilled=0 stores=0 reloads=0
define void @avx16(ptr %p) nounwind #0 {
  %g0 = getelementptr <8 x float>, ptr %p, i64 0
  %v0 = load volatile <8 x float>, ptr %g0
  %g1 = getelementptr <8 x float>, ptr %p, i64 1
  %v1 = load volatile <8 x float>, ptr %g1
  %g2 = getelementptr <8 x float>, ptr %p, i64 2
  %v2 = load volatile <8 x float>, ptr %g2
  %g3 = getelementptr <8 x float>, ptr %p, i64 3
  %v3 = load volatile <8 x float>, ptr %g3
  %g4 = getelementptr <8 x float>, ptr %p, i64 4
  %v4 = load volatile <8 x float>, ptr %g4
  %g5 = getelementptr <8 x float>, ptr %p, i64 5
  %v5 = load volatile <8 x float>, ptr %g5
  %g6 = getelementptr <8 x float>, ptr %p, i64 6
  %v6 = load volatile <8 x float>, ptr %g6
  %g7 = getelementptr <8 x float>, ptr %p, i64 7
  %v7 = load volatile <8 x float>, ptr %g7
  %g8 = getelementptr <8 x float>, ptr %p, i64 8
  %v8 = load volatile <8 x float>, ptr %g8
  %g9 = getelementptr <8 x float>, ptr %p, i64 9
  %v9 = load volatile <8 x float>, ptr %g9
  %g10 = getelementptr <8 x float>, ptr %p, i64 10
  %v10 = load volatile <8 x float>, ptr %g10
  %g11 = getelementptr <8 x float>, ptr %p, i64 11
  %v11 = load volatile <8 x float>, ptr %g11
  %g12 = getelementptr <8 x float>, ptr %p, i64 12
  %v12 = load volatile <8 x float>, ptr %g12
  %g13 = getelementptr <8 x float>, ptr %p, i64 13
  %v13 = load volatile <8 x float>, ptr %g13
  %g14 = getelementptr <8 x float>, ptr %p, i64 14
  %v14 = load volatile <8 x float>, ptr %g14
  %g15 = getelementptr <8 x float>, ptr %p, i64 15
  %v15 = load volatile <8 x float>, ptr %g15
  store volatile <8 x float> %v0, ptr %g0
  store volatile <8 x float> %v1, ptr %g1
  store volatile <8 x float> %v2, ptr %g2
  store volatile <8 x float> %v3, ptr %g3
  store volatile <8 x float> %v4, ptr %g4
  store volatile <8 x float> %v5, ptr %g5
  store volatile <8 x float> %v6, ptr %g6
  store volatile <8 x float> %v7, ptr %g7
  store volatile <8 x float> %v8, ptr %g8
  store volatile <8 x float> %v9, ptr %g9
  store volatile <8 x float> %v10, ptr %g10
  store volatile <8 x float> %v11, ptr %g11
  store volatile <8 x float> %v12, ptr %g12
  store volatile <8 x float> %v13, ptr %g13
  store volatile <8 x float> %v14, ptr %g14
  store volatile <8 x float> %v15, ptr %g15
  ret void
}

; CHECK-LABEL: avx17:
; CHECK:         vmovups %ymm{{[0-9]+}}, -{{[0-9]+}}(%rsp) # 32-byte Spill
; CHECK:         vmovups -{{[0-9]+}}(%rsp), %ymm{{[0-9]+}} # 32-byte Reload
; CHECK:         retq
; STATS: function=avx17 {{.*}}used.VR256=16 maxlive.VR256={{16|17}} budget.VR256=16 spilled={{[12]}} stores={{[12]}} reloads={{[12]}} remats=0
define void @avx17(ptr %p) nounwind #0 {
  %g0 = getelementptr <8 x float>, ptr %p, i64 0
  %v0 = load volatile <8 x float>, ptr %g0
  %g1 = getelementptr <8 x float>, ptr %p, i64 1
  %v1 = load volatile <8 x float>, ptr %g1
  %g2 = getelementptr <8 x float>, ptr %p, i64 2
  %v2 = load volatile <8 x float>, ptr %g2
  %g3 = getelementptr <8 x float>, ptr %p, i64 3
  %v3 = load volatile <8 x float>, ptr %g3
  %g4 = getelementptr <8 x float>, ptr %p, i64 4
  %v4 = load volatile <8 x float>, ptr %g4
  %g5 = getelementptr <8 x float>, ptr %p, i64 5
  %v5 = load volatile <8 x float>, ptr %g5
  %g6 = getelementptr <8 x float>, ptr %p, i64 6
  %v6 = load volatile <8 x float>, ptr %g6
  %g7 = getelementptr <8 x float>, ptr %p, i64 7
  %v7 = load volatile <8 x float>, ptr %g7
  %g8 = getelementptr <8 x float>, ptr %p, i64 8
  %v8 = load volatile <8 x float>, ptr %g8
  %g9 = getelementptr <8 x float>, ptr %p, i64 9
  %v9 = load volatile <8 x float>, ptr %g9
  %g10 = getelementptr <8 x float>, ptr %p, i64 10
  %v10 = load volatile <8 x float>, ptr %g10
  %g11 = getelementptr <8 x float>, ptr %p, i64 11
  %v11 = load volatile <8 x float>, ptr %g11
  %g12 = getelementptr <8 x float>, ptr %p, i64 12
  %v12 = load volatile <8 x float>, ptr %g12
  %g13 = getelementptr <8 x float>, ptr %p, i64 13
  %v13 = load volatile <8 x float>, ptr %g13
  %g14 = getelementptr <8 x float>, ptr %p, i64 14
  %v14 = load volatile <8 x float>, ptr %g14
  %g15 = getelementptr <8 x float>, ptr %p, i64 15
  %v15 = load volatile <8 x float>, ptr %g15
  %g16 = getelementptr <8 x float>, ptr %p, i64 16
  %v16 = load volatile <8 x float>, ptr %g16
  store volatile <8 x float> %v0, ptr %g0
  store volatile <8 x float> %v1, ptr %g1
  store volatile <8 x float> %v2, ptr %g2
  store volatile <8 x float> %v3, ptr %g3
  store volatile <8 x float> %v4, ptr %g4
  store volatile <8 x float> %v5, ptr %g5
  store volatile <8 x float> %v6, ptr %g6
  store volatile <8 x float> %v7, ptr %g7
  store volatile <8 x float> %v8, ptr %g8
  store volatile <8 x float> %v9, ptr %g9
  store volatile <8 x float> %v10, ptr %g10
  store volatile <8 x float> %v11, ptr %g11
  store volatile <8 x float> %v12, ptr %g12
  store volatile <8 x float> %v13, ptr %g13
  store volatile <8 x float> %v14, ptr %g14
  store volatile <8 x float> %v15, ptr %g15
  store volatile <8 x float> %v16, ptr %g16
  ret void
}

attributes #0 = { "target-features"="+avx" }
