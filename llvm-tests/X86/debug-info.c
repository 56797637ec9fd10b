// Debug information does not change the code, and finds variables in registers
// and in memory.
// RUN: %clang -target x86_64-linux-gnu -O2 -c -mllvm -regalloc=warpalloc -mllvm -verify-regalloc -mllvm -verify-machineinstrs %s -o %t.plain.o
// RUN: %clang -target x86_64-linux-gnu -O2 -g -c -mllvm -regalloc=warpalloc -mllvm -verify-regalloc -mllvm -verify-machineinstrs %s -o %t.debug.o
// RUN: llvm-objcopy -O binary -j .text %t.plain.o %t.plain.text
// RUN: llvm-objcopy -O binary -j .text %t.debug.o %t.debug.text
// RUN: cmp %t.plain.text %t.debug.text
// RUN: llvm-dwarfdump --verify %t.debug.o
// RUN: llvm-dwarfdump --name=in_register --name=argument %t.debug.o | FileCheck %s --check-prefix=REGISTER
// RUN: llvm-dwarfdump --name=in_memory %t.debug.o | FileCheck %s --check-prefix=MEMORY
// REGISTER-DAG: DW_AT_name ("in_register")
// REGISTER-DAG: DW_OP_reg{{[0-9]+}} R{{.*}}
// REGISTER-DAG: DW_AT_name ("argument")
// REGISTER-DAG: DW_OP_reg5 RDI
// MEMORY: DW_AT_location
// MEMORY: DW_OP_breg7 RSP-8{{(, DW_OP_deref)?}}
// MEMORY: DW_AT_name ("in_memory")
#define CLOBBER_ALL                                                            \
  __asm__ volatile("" ::                                                       \
                       : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp",      \
                         "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15")

long callee(long);

long registers(long argument) {
  long in_register = argument * 3;
  callee(argument);
  return callee(in_register) + in_register;
}

long memory(long first) {
  long in_memory = first * 7;
  CLOBBER_ALL;
  return in_memory;
}
