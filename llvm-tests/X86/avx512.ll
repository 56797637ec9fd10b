; AVX-512 has 32 registers, the upper 16 only for its own encodings.
; RUN: %llc -mtriple=x86_64-linux-gnu -regalloc=warpalloc -verify-regalloc -verify-machineinstrs -print-regalloc-stats %s \
; RUN:   -o - 2>%t.err | FileCheck %s
; RUN: FileCheck %s --check-prefix=STATS <%t.err

; CHECK-LABEL: zmm32:
; CHECK-NOT:     Spill
; CHECK-NOT:     Reload
; CHECK:         vmovaps (%rdi), %zmm
; CHECK:         retq
; STATS: function=zmm32 {{.*}}used.VR512=32 maxlive.VR512=32 budget.VR512=32 spilled=0 stores=0 reloads=0
define void @zmm32(ptr %p) nounwind #0 {
  %g0 = getelementptr <16 x float>, ptr %p, i64 0
  %v0 = load volatile <16 x float>, ptr %g0
  %g1 = getelementptr <16 x float>, ptr %p, i64 1
  %v1 = load volatile <16 x float>, ptr %g1
  %g2 = getelementptr <16 x float>, ptr %p, i64 2
  %v2 = load volatile <16 x float>, ptr %g2
  %g3 = getelementptr <16 x float>, ptr %p, i64 3
  %v3 = load volatile <16 x float>, ptr %g3
  %g4 = getelementptr <16 x float>, ptr %p, i64 4
  %v4 = load volatile <16 x float>, ptr %g4
  %g5 = getelementptr <16 x float>, ptr %p, i64 5
  %v5 = load volatile <16 x float>, ptr %g5
  %g6 = getelementptr <16 x float>, ptr %p, i64 6
  %v6 = load volatile <16 x float>, ptr %g6
  %g7 = getelementptr <16 x float>, ptr %p, i64 7
  %v7 = load volatile <16 x float>, ptr %g7
  %g8 = getelementptr <16 x float>, ptr %p, i64 8
  %v8 = load volatile <16 x float>, ptr %g8
  %g9 = getelementptr <16 x float>, ptr %p, i64 9
  %v9 = load volatile <16 x float>, ptr %g9
  %g10 = getelementptr <16 x float>, ptr %p, i64 10
  %v10 = load volatile <16 x float>, ptr %g10
  %g11 = getelementptr <16 x float>, ptr %p, i64 11
  %v11 = load volatile <16 x float>, ptr %g11
  %g12 = getelementptr <16 x float>, ptr %p, i64 12
  %v12 = load volatile <16 x float>, ptr %g12
  %g13 = getelementptr <16 x float>, ptr %p, i64 13
  %v13 = load volatile <16 x float>, ptr %g13
  %g14 = getelementptr <16 x float>, ptr %p, i64 14
  %v14 = load volatile <16 x float>, ptr %g14
  %g15 = getelementptr <16 x float>, ptr %p, i64 15
  %v15 = load volatile <16 x float>, ptr %g15
  %g16 = getelementptr <16 x float>, ptr %p, i64 16
  %v16 = load volatile <16 x float>, ptr %g16
  %g17 = getelementptr <16 x float>, ptr %p, i64 17
  %v17 = load volatile <16 x float>, ptr %g17
  %g18 = getelementptr <16 x float>, ptr %p, i64 18
  %v18 = load volatile <16 x float>, ptr %g18
  %g19 = getelementptr <16 x float>, ptr %p, i64 19
  %v19 = load volatile <16 x float>, ptr %g19
  %g20 = getelementptr <16 x float>, ptr %p, i64 20
  %v20 = load volatile <16 x float>, ptr %g20
  %g21 = getelementptr <16 x float>, ptr %p, i64 21
  %v21 = load volatile <16 x float>, ptr %g21
  %g22 = getelementptr <16 x float>, ptr %p, i64 22
  %v22 = load volatile <16 x float>, ptr %g22
  %g23 = getelementptr <16 x float>, ptr %p, i64 23
  %v23 = load volatile <16 x float>, ptr %g23
  %g24 = getelementptr <16 x float>, ptr %p, i64 24
  %v24 = load volatile <16 x float>, ptr %g24
  %g25 = getelementptr <16 x float>, ptr %p, i64 25
  %v25 = load volatile <16 x float>, ptr %g25
  %g26 = getelementptr <16 x float>, ptr %p, i64 26
  %v26 = load volatile <16 x float>, ptr %g26
  %g27 = getelementptr <16 x float>, ptr %p, i64 27
  %v27 = load volatile <16 x float>, ptr %g27
  %g28 = getelementptr <16 x float>, ptr %p, i64 28
  %v28 = load volatile <16 x float>, ptr %g28
  %g29 = getelementptr <16 x float>, ptr %p, i64 29
  %v29 = load volatile <16 x float>, ptr %g29
  %g30 = getelementptr <16 x float>, ptr %p, i64 30
  %v30 = load volatile <16 x float>, ptr %g30
  %g31 = getelementptr <16 x float>, ptr %p, i64 31
  %v31 = load volatile <16 x float>, ptr %g31
  store volatile <16 x float> %v0, ptr %g0
  store volatile <16 x float> %v1, ptr %g1
  store volatile <16 x float> %v2, ptr %g2
  store volatile <16 x float> %v3, ptr %g3
  store volatile <16 x float> %v4, ptr %g4
  store volatile <16 x float> %v5, ptr %g5
  store volatile <16 x float> %v6, ptr %g6
  store volatile <16 x float> %v7, ptr %g7
  store volatile <16 x float> %v8, ptr %g8
  store volatile <16 x float> %v9, ptr %g9
  store volatile <16 x float> %v10, ptr %g10
  store volatile <16 x float> %v11, ptr %g11
  store volatile <16 x float> %v12, ptr %g12
  store volatile <16 x float> %v13, ptr %g13
  store volatile <16 x float> %v14, ptr %g14
  store volatile <16 x float> %v15, ptr %g15
  store volatile <16 x float> %v16, ptr %g16
  store volatile <16 x float> %v17, ptr %g17
  store volatile <16 x float> %v18, ptr %g18
  store volatile <16 x float> %v19, ptr %g19
  store volatile <16 x float> %v20, ptr %g20
  store volatile <16 x float> %v21, ptr %g21
  store volatile <16 x float> %v22, ptr %g22
  store volatile <16 x float> %v23, ptr %g23
  store volatile <16 x float> %v24, ptr %g24
  store volatile <16 x float> %v25, ptr %g25
  store volatile <16 x float> %v26, ptr %g26
  store volatile <16 x float> %v27, ptr %g27
  store volatile <16 x float> %v28, ptr %g28
  store volatile <16 x float> %v29, ptr %g29
  store volatile <16 x float> %v30, ptr %g30
  store volatile <16 x float> %v31, ptr %g31
  ret void
}

; CHECK-LABEL: zmm33:
; CHECK:         vmovups %zmm{{[0-9]+}}, -{{[0-9]+}}(%rsp) # 64-byte Spill
; CHECK:         vmovups -{{[0-9]+}}(%rsp), %zmm{{[0-9]+}} # 64-byte Reload
; CHECK:         retq
; STATS: function=zmm33 {{.*}}used.VR512=32 maxlive.VR512={{32|33}} budget.VR512=32 spilled={{[12]}} stores={{[12]}} reloads={{[12]}} remats=0
define void @zmm33(ptr %p) nounwind #0 {
  %g0 = getelementptr <16 x float>, ptr %p, i64 0
  %v0 = load volatile <16 x float>, ptr %g0
  %g1 = getelementptr <16 x float>, ptr %p, i64 1
  %v1 = load volatile <16 x float>, ptr %g1
  %g2 = getelementptr <16 x float>, ptr %p, i64 2
  %v2 = load volatile <16 x float>, ptr %g2
  %g3 = getelementptr <16 x float>, ptr %p, i64 3
  %v3 = load volatile <16 x float>, ptr %g3
  %g4 = getelementptr <16 x float>, ptr %p, i64 4
  %v4 = load volatile <16 x float>, ptr %g4
  %g5 = getelementptr <16 x float>, ptr %p, i64 5
  %v5 = load volatile <16 x float>, ptr %g5
  %g6 = getelementptr <16 x float>, ptr %p, i64 6
  %v6 = load volatile <16 x float>, ptr %g6
  %g7 = getelementptr <16 x float>, ptr %p, i64 7
  %v7 = load volatile <16 x float>, ptr %g7
  %g8 = getelementptr <16 x float>, ptr %p, i64 8
  %v8 = load volatile <16 x float>, ptr %g8
  %g9 = getelementptr <16 x float>, ptr %p, i64 9
  %v9 = load volatile <16 x float>, ptr %g9
  %g10 = getelementptr <16 x float>, ptr %p, i64 10
  %v10 = load volatile <16 x float>, ptr %g10
  %g11 = getelementptr <16 x float>, ptr %p, i64 11
  %v11 = load volatile <16 x float>, ptr %g11
  %g12 = getelementptr <16 x float>, ptr %p, i64 12
  %v12 = load volatile <16 x float>, ptr %g12
  %g13 = getelementptr <16 x float>, ptr %p, i64 13
  %v13 = load volatile <16 x float>, ptr %g13
  %g14 = getelementptr <16 x float>, ptr %p, i64 14
  %v14 = load volatile <16 x float>, ptr %g14
  %g15 = getelementptr <16 x float>, ptr %p, i64 15
  %v15 = load volatile <16 x float>, ptr %g15
  %g16 = getelementptr <16 x float>, ptr %p, i64 16
  %v16 = load volatile <16 x float>, ptr %g16
  %g17 = getelementptr <16 x float>, ptr %p, i64 17
  %v17 = load volatile <16 x float>, ptr %g17
  %g18 = getelementptr <16 x float>, ptr %p, i64 18
  %v18 = load volatile <16 x float>, ptr %g18
  %g19 = getelementptr <16 x float>, ptr %p, i64 19
  %v19 = load volatile <16 x float>, ptr %g19
  %g20 = getelementptr <16 x float>, ptr %p, i64 20
  %v20 = load volatile <16 x float>, ptr %g20
  %g21 = getelementptr <16 x float>, ptr %p, i64 21
  %v21 = load volatile <16 x float>, ptr %g21
  %g22 = getelementptr <16 x float>, ptr %p, i64 22
  %v22 = load volatile <16 x float>, ptr %g22
  %g23 = getelementptr <16 x float>, ptr %p, i64 23
  %v23 = load volatile <16 x float>, ptr %g23
  %g24 = getelementptr <16 x float>, ptr %p, i64 24
  %v24 = load volatile <16 x float>, ptr %g24
  %g25 = getelementptr <16 x float>, ptr %p, i64 25
  %v25 = load volatile <16 x float>, ptr %g25
  %g26 = getelementptr <16 x float>, ptr %p, i64 26
  %v26 = load volatile <16 x float>, ptr %g26
  %g27 = getelementptr <16 x float>, ptr %p, i64 27
  %v27 = load volatile <16 x float>, ptr %g27
  %g28 = getelementptr <16 x float>, ptr %p, i64 28
  %v28 = load volatile <16 x float>, ptr %g28
  %g29 = getelementptr <16 x float>, ptr %p, i64 29
  %v29 = load volatile <16 x float>, ptr %g29
  %g30 = getelementptr <16 x float>, ptr %p, i64 30
  %v30 = load volatile <16 x float>, ptr %g30
  %g31 = getelementptr <16 x float>, ptr %p, i64 31
  %v31 = load volatile <16 x float>, ptr %g31
  %g32 = getelementptr <16 x float>, ptr %p, i64 32
  %v32 = load volatile <16 x float>, ptr %g32
  store volatile <16 x float> %v0, ptr %g0
  store volatile <16 x float> %v1, ptr %g1
  store volatile <16 x float> %v2, ptr %g2
  store volatile <16 x float> %v3, ptr %g3
  store volatile <16 x float> %v4, ptr %g4
  store volatile <16 x float> %v5, ptr %g5
  store volatile <16 x float> %v6, ptr %g6
  store volatile <16 x float> %v7, ptr %g7
  store volatile <16 x float> %v8, ptr %g8
  store volatile <16 x float> %v9, ptr %g9
  store volatile <16 x float> %v10, ptr %g10
  store volatile <16 x float> %v11, ptr %g11
  store volatile <16 x float> %v12, ptr %g12
  store volatile <16 x float> %v13, ptr %g13
  store volatile <16 x float> %v14, ptr %g14
  store volatile <16 x float> %v15, ptr %g15
  store volatile <16 x float> %v16, ptr %g16
  store volatile <16 x float> %v17, ptr %g17
  store volatile <16 x float> %v18, ptr %g18
  store volatile <16 x float> %v19, ptr %g19
  store volatile <16 x float> %v20, ptr %g20
  store volatile <16 x float> %v21, ptr %g21
  store volatile <16 x float> %v22, ptr %g22
  store volatile <16 x float> %v23, ptr %g23
  store volatile <16 x float> %v24, ptr %g24
  store volatile <16 x float> %v25, ptr %g25
  store volatile <16 x float> %v26, ptr %g26
  store volatile <16 x float> %v27, ptr %g27
  store volatile <16 x float> %v28, ptr %g28
  store volatile <16 x float> %v29, ptr %g29
  store volatile <16 x float> %v30, ptr %g30
  store volatile <16 x float> %v31, ptr %g31
  store volatile <16 x float> %v32, ptr %g32
  ret void
}

; Masks have registers of their own.
; CHECK-LABEL: masked:
; CHECK:       # %bb.0:
; CHECK-NEXT:    kmovw %edi, [[K:%k[1-7]]]
; CHECK-NEXT:    vaddps %zmm1, %zmm0, %zmm0 {[[K]]}
; CHECK-NEXT:    retq
define <16 x float> @masked(<16 x float> %a, <16 x float> %b, i16 %m) nounwind #0 {
  %k = bitcast i16 %m to <16 x i1>
  %s = fadd <16 x float> %a, %b
  %r = select <16 x i1> %k, <16 x float> %s, <16 x float> %a
  ret <16 x float> %r
}

; A mask that lives across a call waits in memory.
; CHECK-LABEL: mask_across_call:
; CHECK:         kmovw %k{{[0-7]}}, {{.*}}(%rsp) # 2-byte {{(Folded )?}}Spill
; CHECK:         callq callee@PLT
; CHECK:         kmovw {{.*}}(%rsp), %k{{[1-7]}} # 2-byte {{(Folded )?}}Reload
declare void @callee()
define <16 x float> @mask_across_call(ptr %p, <16 x float> %a, <16 x float> %b) nounwind #0 {
  %k = fcmp olt <16 x float> %a, %b
  call void @callee()
  %v = load <16 x float>, ptr %p
  %r = select <16 x i1> %k, <16 x float> %v, <16 x float> zeroinitializer
  ret <16 x float> %r
}

attributes #0 = { "target-features"="+avx512f" "prefer-vector-width"="512" "min-legal-vector-width"="512" }
