// What -pass-remarks-analysis, -pass-remarks-missed and -pass-remarks-output tell of a
// kernel with lines and variables.
// DEFINE: %{cuda} = -x cuda --cuda-device-only -nocudainc -nocudalib -O2 --cuda-gpu-arch=sm_90 --cuda-feature=+ptx88
// DEFINE: %{variables} = -g -Xclang -debug-info-kind=constructor
// DEFINE: %{allocate} = %gpu -mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=10
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
// RUN: %clang %{cuda} %{variables} -mllvm -regalloc=warpalloc -mllvm -warpalloc-spills=here -mllvm -nvptx-regalloc-pressure-limit=10 -Rpass-analysis=warpalloc -Rpass-missed=warpalloc -S %s -o %t.clang.ptx 2>&1 | %FileCheck %s --check-prefix=CLANG
// RUN: %clang %{cuda} -g -mllvm -regalloc=warpalloc -mllvm -warpalloc-spills=here -mllvm -nvptx-regalloc-pressure-limit=10 -Rpass-analysis=warpalloc -S %s -o %t.clang.ptx 2>&1 | %FileCheck %s --check-prefix=LINES
// RUN: %clang %{cuda} -mllvm -regalloc=warpalloc -mllvm -warpalloc-spills=here -mllvm -nvptx-regalloc-pressure-limit=10 -Rpass-analysis=warpalloc -S %s -o %t.clang.ptx 2>&1 | %FileCheck %s --check-prefix=LINES
//
// Without any debug information.
// RUN: %clang_stock %{cuda} -emit-llvm -c %s -o %t.bare.bc
// RUN: %{allocate} %{analysis} %t.bare.bc -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=BARE

//      CHECK: remarks.cu:[[#%u,KERNEL:@LINE+56]]:0: 'kernel' takes about {{2[0-9]}} registers a thread, and would take about {{2[0-9]}} without a budget; its budget is 10, from -nvptx-regalloc-pressure-limit=10; ptxas keeps no bound below 24
// CHECK-NEXT: remarks.cu:[[#KERNEL]]:0: with 'kernel', 64 of the 64 warps of an SM are resident (100 percent): 2 blocks of 1024 threads, limited by the warps an SM can hold{{.*}}; fewer registers would not make it more; there is room for {{[0-9]+}} more registers
// CHECK-NEXT: remarks.cu:[[#KERNEL]]:0: {{[0-9]+}} values of 'kernel' are spilled: {{[0-9]+}} stores and {{[0-9]+}} reloads, executed about {{[0-9]+}}.{{[0-9]}} times when the function runs once
// CHECK-NEXT: remarks.cu:[[#KERNEL-4]]:{{[0-9]+}}: line [[#KERNEL-4]] of {{.*}}remarks.cu (inlined at line [[#KERNEL+5]]) has the highest register pressure: {{1[1-9]}} registers of R are live where 10 can be had: 1 for 'a', 1 for 'b', 1 for 'c', 1 for 'd', 1 for 'e', {{[0-9]+}} for others
// CHECK-NEXT: remarks.cu:[[#KERNEL+5]]:{{[0-9]+}}: line [[#KERNEL+5]] of {{.*}}remarks.cu has the second highest register pressure: {{1[1-9]}} registers
// CHECK-NEXT: remarks.cu:[[#KERNEL+6]]:{{[0-9]+}}: line [[#KERNEL+6]] of {{.*}}remarks.cu has the third highest register pressure: {{1[1-9]}} registers
//      CHECK: remarks.cu:[[#KERNEL+1]]:{{[0-9]+}}: 'c' (4 bytes), defined at line [[#KERNEL+1]] of {{.*}}remarks.cu, is spilled: 1 store and {{[0-9]+}} reloads, executed about {{[0-9]+}}.{{[0-9]}} times when the function runs once
//      CHECK: remarks.cu:[[#KERNEL+2]]:{{[0-9]+}}: 'k' (4 bytes), defined at line [[#KERNEL+2]] of {{.*}}remarks.cu, is spilled

//      YAML: --- !Analysis
// YAML-NEXT: Pass:{{ +}}warpalloc
// YAML-NEXT: Name:{{ +}}Registers
// YAML-NEXT: DebugLoc:
//      YAML: Function:{{ +}}kernel
//      YAML: - Registers:{{ +}}'{{2[0-9]}}'
//      YAML: - Budget:{{ +}}'10'
//      YAML: - BudgetReason:{{ +}}'-nvptx-regalloc-pressure-limit=10'
//      YAML: - LowestBound:{{ +}}'24'
//      YAML: Name:{{ +}}Occupancy
//      YAML: - Warps:{{ +}}'64'
//      YAML: - Occupancy:{{ +}}'100'
//      YAML: - BlockThreads:{{ +}}'1024'
//      YAML: - FreeRegisters:{{ +}}'{{[0-9]+}}'
//      YAML: Name:{{ +}}Spills
//      YAML: - SpilledValues:{{ +}}'[[#%u,COUNT:]]'
//      YAML: Name:{{ +}}HighPressure
//      YAML: - Line:{{ +}}'[[#%u,LINE:]]'
//      YAML: - InlinedAtLine:{{ +}}'[[#LINE+9]]'
//      YAML: - Rank:{{ +}}highest
//      YAML: - Live:{{ +}}'1{{[1-9]}}'
//      YAML: - Available:{{ +}}'10'
//      YAML: - ValueRegisters:{{ +}}'1'
//      YAML: - Value:{{ +}}a
//      YAML: --- !Missed
// YAML-NEXT: Pass:{{ +}}warpalloc
// YAML-NEXT: Name:{{ +}}Spilled
//      YAML: - Value:{{ +}}c
//      YAML: - Bytes:{{ +}}'4'
//      YAML: - Line:{{ +}}'[[#]]'
//      YAML: - Stores:{{ +}}'1'
//      YAML: - Reloads:{{ +}}'[[#]]'
//      YAML: - Cost:{{ +}}'{{[0-9.]+}}'

// ANALYSIS: the third highest register pressure
// MISSED: 'c' (4 bytes), defined at line
// BARE: unknown>:0:0: where the register pressure of 'kernel' is highest, {{1[1-9]}} registers of R are live where 10 can be had; compile with -g to have lines named

// CLANG: remarks.cu:{{[0-9]+}}:{{[0-9]+}}: remark: 'kernel' takes about {{2[0-9]}} registers {{.*}} [-Rpass-analysis=warpalloc]
// CLANG: remarks.cu:{{[0-9]+}}:{{[0-9]+}}: remark: 'c' (4 bytes), {{.*}} [-Rpass-missed=warpalloc]
// LINES: remark: line [[#@LINE+3]] of {{.*}}remarks.cu {{.*}} has the highest register pressure: {{.*}} can be had; compile with -g -Xclang -debug-info-kind=constructor to have variables named

static __attribute__((device)) inline int twist(int x, int y) {
  return x * y + (x ^ y);
}

extern "C" __attribute__((global)) __attribute__((launch_bounds(1024))) void
kernel(int *p, const int *q, int n) {
  int a = q[0], b = q[1], c = q[2], d = q[3], e = q[4], f = q[5], g = q[6];
  int h = q[7], k = q[8], l = q[9];
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += twist(p[i], a);
    p[i] = sum ^ b;
    sum += c * (d + e) - f * (g ^ h) + (k | l);
  }
  p[n] = sum + a + b + c + d + e + f + g + h + k + l;
}
