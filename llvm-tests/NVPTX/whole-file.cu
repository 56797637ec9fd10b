// A whole CUDA file, host and device, as people compile it: one object file with the code
// for the GPU in it, and nothing said. Both sides get the options.
// REQUIRES: ptxas, fatbinary, X86
// RUN: %clang -c -O2 --cuda-gpu-arch=sm_90 %cuda -Wno-unknown-cuda-version -mllvm -regalloc=warpalloc -mllvm -nvptx-regalloc-pressure-limit=40 -mllvm -print-regalloc-stats %s -o %t.o 2>%t.err
// RUN: %FileCheck %s <%t.err
// RUN: llvm-objcopy --dump-section=.nv_fatbin=%t.fatbin %t.o %t.unused.o
// RUN: grep -q scale %t.fatbin
// CHECK-DAG: warpalloc: function=_Z5scalePff used.R={{[0-9]+}} maxlive.R={{[0-9]+}} budget.R=40
// CHECK-DAG: warpalloc: function=_Z5startPf used.GR64
// CHECK-NOT: warning
__attribute__((global)) void scale(float *p, float factor) { *p *= factor; }
void start(float *p) { scale<<<1, 1>>>(p, 2); }
