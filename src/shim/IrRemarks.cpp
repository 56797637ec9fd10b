//===- IrRemarks.cpp - Optimization remarks of passes over LLVM IR --------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IrPasses.h"
#include "llvm-c/Types.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/CBindingWrapping.h"

using namespace llvm;
using namespace warpalloc;

extern "C" void warpalloc_ir_remark(void *Analyses, void *Instruction,
                                    bool IsMissed, const char *Pass,
                                    const char *Name, const char *Text) {
  auto &I =
      *cast<llvm::Instruction>(unwrap(static_cast<LLVMValueRef>(Instruction)));
  auto &Emitter = static_cast<IrAnalyses *>(Analyses)
                      ->Functions.getResult<OptimizationRemarkEmitterAnalysis>(
                          *I.getFunction());
  if (IsMissed)
    Emitter.emit([&] {
      return OptimizationRemarkMissed(Pass, Name, &I) << StringRef(Text);
    });
  else
    Emitter.emit(
        [&] { return OptimizationRemark(Pass, Name, &I) << StringRef(Text); });
}
