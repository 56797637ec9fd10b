// ldmatrix and mma.sync on sm_80 (examples/tensor/mma_sync.cu) in every way, at several budgets, with every check.
// RUN: %clang_stock -x cuda --cuda-device-only -nocudainc -nocudalib -std=c++17 -O2 \
// RUN:   --cuda-gpu-arch=sm_80 --cuda-feature=+ptx88 -emit-llvm -c %examples/tensor/mma_sync.cu -o %t.bc
// DEFINE: %{limit} = 255
// DEFINE: %{prefix} = ROOM
// DEFINE: %{expect} =
// DEFINE: %{try} = %{expect} %gpu -warpalloc-enable=tuples -mcpu=sm_80 -mattr=+ptx88 -print-regalloc-stats \
// DEFINE:   -nvptx-regalloc-pressure-limit=%{limit} %t.bc -o %t.ptx
// DEFINE: %{check} = 2>&1 | %FileCheck %s --check-prefix=%{prefix}
// DEFINE: %{all} = %{try} %{check} && \
// DEFINE:   %{try} -warpalloc-select=fatpoint %{check} && \
// DEFINE:   %{try} -warpalloc-profile=ptxas %{check} && \
// DEFINE:   %{try} -warpalloc-profile=cicc %{check}
// RUN: %{all}
// RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}
// REDEFINE: %{limit} = 128
// RUN: %{all}
// RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}
// REDEFINE: %{limit} = 64
// REDEFINE: %{prefix} = TIGHT
// RUN: %{all}
// RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}
// REDEFINE: %{limit} = 32
// RUN: %{all}
// RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}

// Where nothing is spilled, every tuple is in its place.
// ROOM: function=mma_assembly {{.*}} spilled=0 {{.*}} tuple_moves=0{{ }}
// TIGHT: function=mma_assembly {{.*}} spilled={{[1-9]}}
