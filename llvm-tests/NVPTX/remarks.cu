// What -pass-remarks-analysis, -pass-remarks-missed and -pass-remarks-output tell of a
// kernel with lines and variables.
// DEFINE: %{cuda} = -x cuda --cuda-device-only -nocudainc -nocudalib -O2 --cuda-gpu-arch=sm_90 --cuda-feature=+ptx88
// DEFINE: %{variables} = -g -Xclang -debug-info-kind=constructor
// DEFINE: %{budget} = 10
// DEFINE: %{allocate} = %gpu -mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=%{budget}
// DEFINE: %{analysis} = -pass-remarks-analysis=warpalloc
// DEFINE: %{missed} = -pass-remarks-missed=warpalloc
// RUN: %clang_stock %{cuda} %{variables} -emit-llvm -c %s -o %t.bc
// RUN: %{allocate} %{analysis} %{missed} -pass-remarks-output=%t.yaml %t.bc -o %t.ptx 2>%t.out
// RUN: %FileCheck %s <%t.out
// RUN: %FileCheck %s --check-prefix=YAML <%t.yaml
//
// Each kind alone. Remarks change no code, and without them nothing is said.
// RUN: %{allocate} %{analysis} %t.bc -o %t.analysis.ptx 2>&1 | %FileCheck %s --check-prefix=ANALYSIS --implicit-check-not='is spilled'
// RUN: %{allocate} %{missed} %t.bc -o %t.missed.ptx 2>&1 | %FileCheck %s --check-prefix=MISSED --implicit-check-not=pressure
// RUN: %{allocate} %t.bc -o %t.quiet.ptx 2>%t.quiet
// RUN: count 0 <%t.quiet
// RUN: cmp %t.ptx %t.quiet.ptx
// RUN: cmp %t.analysis.ptx %t.quiet.ptx
// RUN: cmp %t.missed.ptx %t.quiet.ptx
//
// Other passes' remarks are none of ours.
// RUN: %{allocate} -pass-remarks-filter=inline -pass-remarks-output=%t.other.yaml -pass-remarks-analysis=inline %t.bc -o %t.other.ptx 2>%t.quiet
// RUN: count 0 <%t.quiet
// RUN: not grep warpalloc %t.other.yaml
//
// As clang has it: -g gives lines for a GPU, more is needed for variables.
// RUN: %clang %{cuda} %{variables} -mllvm -regalloc=warpalloc -mllvm -nvptx-regalloc-pressure-limit=%{budget} -Rpass-analysis=warpalloc -Rpass-missed=warpalloc -S %s -o %t.clang.ptx 2>&1 | %FileCheck %s --check-prefix=CLANG
// RUN: %clang %{cuda} -g -mllvm -regalloc=warpalloc -mllvm -nvptx-regalloc-pressure-limit=%{budget} -Rpass-analysis=warpalloc -S %s -o %t.clang.ptx 2>&1 | %FileCheck %s --check-prefix=LINES
// RUN: %clang %{cuda} -mllvm -regalloc=warpalloc -mllvm -nvptx-regalloc-pressure-limit=%{budget} -Rpass-analysis=warpalloc -S %s -o %t.clang.ptx 2>&1 | %FileCheck %s --check-prefix=LINES
//
// Without any debug information.
// RUN: %clang_stock %{cuda} -emit-llvm -c %s -o %t.bare.bc
// RUN: %{allocate} %{analysis} %t.bare.bc -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=BARE
//
// Registers more, and occupancy has a cliff. The calculator agrees.
// REDEFINE: %{budget} = 255
// RUN: %{allocate} %{analysis} %t.bc -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=ROOM --implicit-check-not=spilled
// RUN: %warpalloc_cli occupancy --sm 90 --threads 1024 --registers 32,33,64,65 | %FileCheck %s --check-prefix=CALCULATED

//      CHECK: remarks.cu:57:0: 'kernel' takes about 10 registers a thread, and would take about {{[12][0-9]}} without a budget; its budget is 10, from -nvptx-regalloc-pressure-limit=10
// CHECK-NEXT: remarks.cu:57:0: 64 of the 64 warps of an SM are resident (100 percent): 4 blocks of 512 threads, limited by the warps an SM can hold; fewer registers would not make it more; there is room for 22 more registers
// CHECK-NEXT: remarks.cu:57:0: {{[0-9]+}} values of 'kernel' are spilled: {{[0-9]+}} stores and {{[0-9]+}} reloads, executed about {{[0-9]+}}.{{[0-9]}} times when the function runs once
// CHECK-NEXT: remarks.cu:
