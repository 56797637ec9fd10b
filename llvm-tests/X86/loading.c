// The ways to load the plugin give the same code.
// RUN: %clang_stock -target x86_64-linux-gnu -O2 -S -emit-llvm %s -o %t.ll
// RUN: llc-22 -load=%warpalloc -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %t.ll -o %t.load.s
// RUN: llc-22 -load-pass-plugin=%warpalloc -regalloc=warpalloc -verify-regalloc -verify-machineinstrs %t.ll -o %t.plugin.s
// RUN: %clang -target x86_64-linux-gnu -O2 -S -mllvm -regalloc=warpalloc -mllvm -verify-regalloc -mllvm -verify-machineinstrs %s -o %t.clang.s
// RUN: cmp %t.load.s %t.plugin.s
// RUN: FileCheck %s <%t.load.s
// RUN: FileCheck %s <%t.clang.s
// RUN: %llc -regalloc=warpalloc %t.ll -o /dev/null -print-regalloc-stats 2>&1 | FileCheck %s --check-prefix=STATS
// Loaded, but not asked for, it changes nothing.
// RUN: %llc %t.ll -o %t.unused.s
// RUN: %llc_stock %t.ll -o %t.stock.s
// RUN: cmp %t.unused.s %t.stock.s
// What opt and clang look for in a library that they load is there, stripped or not.
// RUN: llvm-nm -D --defined-only %warpalloc | FileCheck %s --check-prefix=EXPORTED
// EXPORTED: T llvmGetPassPluginInfo
// CHECK-LABEL: product:
// CHECK: leaq 1(%rsi), %rax
// CHECK-NEXT: imulq %rdi, %rax
// CHECK-NEXT: retq
// STATS: warpalloc: function=product
long product(long a, long b) { return a * b + a; }
