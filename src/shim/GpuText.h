//===- GpuText.h - PTX of NVPTX instructions --------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of an instruction, with numbers for its operands. What stands in
// braces there, the hardware wants in consecutive registers; who reads that is
// elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_GPUTEXT_H
#define WARPALLOC_SHIM_GPUTEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"
#include <map>
#include <memory>

namespace llvm {
class MCInstPrinter;
class MachineInstr;
} // namespace llvm

namespace warpalloc {

/// Prints the instructions of all NVPTX functions.
class GpuText {
public:
  GpuText();
  ~GpuText();

  /// The text of inline assembly, its operands being $0, $1, ...; of a call
  /// `call` and the function's name, if it has one; of any other instruction
  /// what LLVM prints, with %r and a number for each register. Null
  /// if it has none, or neither a register nor an effect.
  const char *get(const llvm::MachineInstr &MI);

  /// For each operand its number in the text, or 0xffff.
  static void numberOperands(const llvm::MachineInstr &MI,
                             llvm::SmallVectorImpl<uint16_t> &Numbers);

private:
  const char *print(const llvm::MachineInstr &MI);

  std::unique_ptr<llvm::MCInstPrinter> Printer;
  /// Opcodes with their operands, as far as these belong to the mnemonic: the
  /// space of a load, the width of a store, the mode of a conversion are small
  /// numbers. Registers and larger numbers do not matter.
  using Key = llvm::SmallVector<int64_t, 8>;
  std::map<Key, const char *> Known;
  llvm::BumpPtrAllocator Memory;
  llvm::UniqueStringSaver Texts{Memory};
};

} // namespace warpalloc

#endif
