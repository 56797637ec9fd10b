; Registers that are live at once, as the printer estimates them on a copy of the module.
; RUN: %opt -passes='print<warpalloc-pressure>' -disable-output %s 2>&1 | %FileCheck %s
; RUN: %opt -passes='print<warpalloc-pressure><sm_80>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=SM80
; RUN: %opt -passes='print<warpalloc-pressure><sm_80;json>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=JSON
; RUN: %not %opt -passes='print<warpalloc-pressure><yaml>' -disable-output %s 2>&1 | %FileCheck %s --check-prefix=WRONG
; Nothing changes by it, and nothing is left of the copy.
; RUN: %opt -passes='print<warpalloc-pressure>' -verify-each -S %s 2>/dev/null >%t.printed
; RUN: %opt -passes=verify -S %s >%t.plain
; RUN: diff %t.plain %t.printed
; Twice is the same.
; RUN: %opt -passes='print<warpalloc-pressure><json>,print<warpalloc-pressure><json>' -disable-output %s 2>%t.twice
; RUN: sort %t.twice | uniq -c | %FileCheck %s --check-prefix=TWICE

target triple = "nvptx64-nvidia-cuda"

; WRONG: warpalloc: 'yaml' is no processor: give one such as sm_90
; TWICE-COUNT-7: {{^ *}}2 {"function":

; Behind the first load its result and the other address are live.
; CHECK-LABEL: Register pressure of 'two': R 3, P 0, UR 0, UP 0
; CHECK-NEXT: values: 0 uniform, 5 divergent
; CHECK-NEXT: block entry: R 3, P 0, UR 0, UP 0
; CHECK-NEXT: peak at %x in entry, where are live:
; CHECK-NEXT: {{^}}    2 %b{{$}}
; CHECK-NEXT: {{^}}    1 %x{{$}}
; SM80-LABEL: Register pressure of 'two' for sm_80
; SM80: with 3 registers a thread: 8 blocks of 256 threads, 64 warps on an SM (100 percent)
define float @two(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %x = load float, ptr addrspace(1) %a
  %y = load float, ptr addrspace(1) %b
  %s = fadd float %x, %y
  ret float %s
}

; A vector counts by its elements, a pair of halves as one register.
; CHECK-LABEL: Register pressure of 'vectors': R 7, P 0
define void @vectors(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %v = load <4 x float>, ptr addrspace(1) %a
  %h = load <2 x half>, ptr addrspace(1) %b
  store <4 x float> %v, ptr addrspace(1) %b
  store <2 x half> %h, ptr addrspace(1) %b
  ret void
}

; What is not used of it is there where it is loaded; elements taken out are no others.
; CHECK-LABEL: Register pressure of 'element': R 6, P 0
; CHECK: peak at %v in entry
define float @element(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %v = load <4 x float>, ptr addrspace(1) %a
  %e = extractelement <4 x float> %v, i64 1
  %l = load float, ptr addrspace(1) %b
  %s = fadd float %e, %l
  ret float %s
}

; Predicates are of their own class.
; CHECK-LABEL: Register pressure of 'predicates': R 3, P 2
define i32 @predicates(i32 %a, i32 %b, i32 %c) {
entry:
  %p = icmp slt i32 %a, %b
  %q = icmp slt i32 %b, %c
  %r = xor i1 %p, %q
  %s = select i1 %r, i32 %a, i32 %b
  ret i32 %s
}

; Phis, and what the next round needs; lines from debug information, the fullest first.
; CHECK-LABEL: Register pressure of 'loop': R 6, P 1
; CHECK: block body: R 6, P 1
; CHECK-NEXT: block end: R 1, P 0
; CHECK-NEXT: line loop.cu:2: R 6, P 0
; CHECK-NEXT: line loop.cu:3: R 5, P 1
; CHECK-NEXT: peak at %l in body, loop.cu:2, where are live:
; CHECK-NEXT: 2 %a
; CHECK-NEXT: 1 %n
; CHECK-NEXT: 1 %i
; CHECK-NEXT: 1 %sum
; CHECK-NEXT: 1 %l, loop.cu:2
define i32 @loop(ptr addrspace(1) %a, i32 %n) !dbg !4 {
entry:
  br label %body, !dbg !7
body:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %body ]
  %l = load volatile i32, ptr addrspace(1) %a, !dbg !7
  %sum.next = add i32 %sum, %l, !dbg !8
  %i.next = add i32 %i, 1, !dbg !8
  %more = icmp slt i32 %i.next, %n, !dbg !8
  br i1 %more, label %body, label %end, !dbg !8
end:
  ret i32 %sum.next, !dbg !8
}

; What all threads of a warp have in common can lie in its registers, from sm_75 on.
; CHECK-LABEL: Register pressure of 'warp': R 5, P 0, UR 0, UP 0
; CHECK-NOT: registers a thread
; CHECK-LABEL: Register pressure of 'later'
; SM80-LABEL: Register pressure of 'warp' for sm_80: R 5, P 0, UR 2, UP 0; R 4 beside UR
; SM80-NEXT: values: 4 uniform, 4 divergent
; SM80-NEXT: with 4 registers a thread: 4 blocks of 512 threads, 64 warps on an SM (100 percent)
; SM80: 1 %n, uniform
; JSON: "function":"warp","sm":80,"registers":{"R":5,"P":0,"UR":2,"UP":0,"beside_uniform":4}
; JSON-SAME: "occupancy":{"registers":4,"threads":512,"blocks":4,"warps":64,"percent":100}
define ptx_kernel void @warp(ptr addrspace(1) %a, i32 %n) #0 {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %block, %n
  %index = add i32 %first, %thread
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %index
  store i32 %first, ptr addrspace(1) %p
  ret void
}

; What one later block alone uses is computed there.
; CHECK: block entry: R 1, P 1
; CHECK-NEXT: block then: R 3, P 0
define void @later(ptr addrspace(1) %a, i32 %n, i32 %unused) {
entry:
  %x = mul i32 %n, 3
  %y = mul i32 %n, 5
  %z = mul i32 %n, 7
  %p = icmp slt i32 %n, 9
  br i1 %p, label %then, label %end
then:
  store volatile i32 %x, ptr addrspace(1) %a
  store volatile i32 %y, ptr addrspace(1) %a
  store volatile i32 %z, ptr addrspace(1) %a
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "nvvm.maxntid"="512" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "loop.cu", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "loop", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 2, column: 1, scope: !4)
!8 = !DILocation(line: 3, column: 1, scope: !4)
