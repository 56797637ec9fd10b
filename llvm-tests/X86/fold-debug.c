// Debug information follows what is written to memory by the instruction that computes
// it, as with greedy, and does not change the code.
// RUN: %clang -target x86_64-linux-gnu -O2 -g -c -mllvm -regalloc=warpalloc -mllvm -verify-regalloc -mllvm -verify-machineinstrs %s -o %t.o
// RUN: %clang -target x86_64-linux-gnu -O2 -g -c -mllvm -regalloc=greedy %s -o %t.greedy.o
// RUN: %clang -target x86_64-linux-gnu -O2 -c -mllvm -regalloc=warpalloc %s -o %t.plain.o
// RUN: llvm-objcopy -O binary -j .text %t.o %t.text
// RUN: llvm-objcopy -O binary -j .text %t.plain.o %t.plain.text
// RUN: cmp %t.text %t.plain.text
// RUN: llvm-dwarfdump --verify %t.o
// RUN: llvm-objdump -d --no-show-raw-insn %t.o | FileCheck %s --check-prefix=CODE
// RUN: llvm-dwarfdump --name=equal --name=value %t.o | FileCheck %s
// RUN: llvm-dwarfdump --name=equal --name=value %t.greedy.o | FileCheck %s
// CODE: sete -0x1(%rsp)
// CODE: shlq %cl, -0x8(%rsp)
// CHECK: [0x{{[0-9a-f]+}}, 0x{{[0-9a-f]+}}): DW_OP_breg7 RSP-1
// CHECK: DW_AT_name ("equal")
// CHECK: [0x{{[0-9a-f]+}}, 0x{{[0-9a-f]+}}): DW_OP_breg7 RSP-8
// CHECK: DW_AT_name ("value")
#define CLOBBER_ALL                                                            \
  __asm__ volatile("" ::                                                       \
                       : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp",      \
                         "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15")

_Bool written(long first) {
  _Bool equal = first == 5;
  CLOBBER_ALL;
  return equal;
}

unsigned long changed(unsigned long first) {
  unsigned long value = first;
  CLOBBER_ALL;
  unsigned char amount = *(volatile unsigned char *)8;
  value <<= amount;
  CLOBBER_ALL;
  return value;
}
