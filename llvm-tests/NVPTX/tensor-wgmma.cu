// wgmma on sm_90a (examples/tensor/wgmma.cu) in every way, at several budgets, with every check.
// Where the accumulators of one instruction, or what is in flight together, are more than
// the budget, the message says so.
// RUN: %clang_stock -x cuda --cuda-device-only -nocudainc -nocudalib -std=c++17 -O2 \
// RUN:   --cuda-gpu-arch=sm_90a --cuda-feature=+ptx88 -emit-llvm -c %examples/tensor/wgmma.cu -o %t.bc
// DEFINE: %{limit} = 255
// DEFINE: %{prefix} = ROOM
// DEFINE: %{expect} =
// DEFINE: %{try} = %{expect} %gpu -warpalloc-enable=tuples -mcpu=sm_90a -mattr=+ptx88 -print-regalloc-stats \
// DEFINE:   -nvptx-regalloc-pressure-limit=%{limit} %t.bc -o %t.ptx
// DEFINE: %{check} = 2>&1 | %FileCheck %s --check-prefix=%{prefix}
// DEFINE: %{all} = %{try} %{check} && \
// DEFINE:   %{try} -warpalloc-select=fatpoint %{check} && \
// DEFINE:   %{try} -warpalloc-profile=ptxas %{check} && \
// DEFINE:   %{try} -warpalloc-profile=cicc %{check}
// RUN: %{all}
// RUN: %if ptxas %{ %ptxas -arch=sm_90a -o %t.cubin %t.ptx %}
// In the ptxas profile the values of wide tuples are large vectors.
// RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90a -mattr=+ptx88 -warpalloc-profile=ptxas %t.bc -o %t.ptx 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=VECTORS
// RUN: env WARPALLOC_LOG=trace %gpu -mcpu=sm_90a -mattr=+ptx88 -warpalloc-profile=ptxas -warpalloc-select=graph -warpalloc-order=lists %t.bc -o %t.ptx 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=SIMPLIFIED
// REDEFINE: %{limit} = 144
// REDEFINE: %{prefix} = TIGHT
// RUN: %{all}
// RUN: %if ptxas %{ %ptxas -arch=sm_90a -o %t.cubin %t.ptx %}
// REDEFINE: %{limit} = 64
// REDEFINE: %{prefix} = LARGE
// REDEFINE: %{expect} = %not
// RUN: %{all}
// REDEFINE: %{limit} = 32
// REDEFINE: %{prefix} = BOTH
// RUN: %{all}

// SIMPLIFIED: simplified value=v{{[0-9]+}} list=LargeVec
// VECTORS: ordered value=v{{[0-9]+}} list=LargeVec
// Where nothing is spilled, every tuple is in its place.
// ROOM: function=wgmma_64 {{.*}} used.T=32 maxlive.T=32 budget.T={{255|204}} spilled=0 {{.*}} tuple_moves=0{{ }}
// ROOM: function=wgmma_128 {{.*}} spilled=0 {{.*}} tuple_moves=0{{ }}
// TIGHT: function=wgmma_64 {{.*}} spilled=0 {{.*}} tuple_moves=0{{ }}
// TIGHT: function=wgmma_128 used.R={{136|144}} {{.*}} spilled={{[1-9]|0 .* remats=[1-9]}}
// LARGE: function=wgmma_64 {{.*}} spilled=0 {{.*}} tuple_moves=0{{ }}
// LARGE: in function 'wgmma_128': the R budget of 64 registers is too small: instruction {{[0-9]+}} alone needs 128
// BOTH: in function 'wgmma_64': the R budget of 32 registers is too small: instruction {{[0-9]+}} alone needs 37
// BOTH: in function 'wgmma_128': the R budget of 32 registers is too small: instruction {{[0-9]+}} alone needs 128
