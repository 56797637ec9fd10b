//===- Remarks.h - Optimization remarks -------------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks LLVM whether anybody wants remarks, and hands it what Rust has to say.
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_REMARKS_H
#define WARPALLOC_SHIM_REMARKS_H

#include "Source.h"
#include "warpalloc_abi.h"
#include "llvm/CodeGen/MachineFunctionPass.h"

namespace llvm {
class MachineBlockFrequencyInfo;
} // namespace llvm

namespace warpalloc {

class FunctionTables;

/// Whether remarks about a function would be shown or written.
bool wantsRemarks(const llvm::MachineFunction &MF);

/// Hands over the remarks of a result. The numbers are those of the tables.
void emitRemarks(llvm::MachineFunction &MF, const FunctionTables &Tables,
                 const WarpallocResult &Result,
                 llvm::MachineBlockFrequencyInfo &Frequencies);

/// Names variables before LiveDebugVariables takes them out of the code, if
/// somebody wants remarks.
class VariableNamesPass : public llvm::MachineFunctionPass {
public:
  static char ID;
  VariableNamesPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override {
    return "Warpalloc Variable Names";
  }
  void getAnalysisUsage(llvm::AnalysisUsage &AU) const override {
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(llvm::MachineFunction &MF) override;
  void releaseMemory() override { Names.clear(); }

  const VariableNames &get() const { return Names; }

private:
  VariableNames Names;
};

} // namespace warpalloc

#endif
