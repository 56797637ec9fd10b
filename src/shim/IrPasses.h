//===- IrPasses.h - Passes over LLVM IR -------------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_IRPASSES_H
#define WARPALLOC_SHIM_IRPASSES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class ModulePass;
class PassBuilder;
class TargetMachine;
} // namespace llvm

namespace warpalloc {

/// What Rust may ask about a module while a pass of ours runs.
struct IrAnalyses {
  llvm::Module &M;
  llvm::FunctionAnalysisManager &Functions;
  llvm::ModuleAnalysisManager &Modules;
};

/// Gives a pass builder our names, and `-warpalloc-prepare` its place in the
/// pipelines of -O levels.
void registerIrPasses(llvm::PassBuilder &Builder);

/// Adds the printer of register pressure if that is what the name says; whether
/// it is.
bool parsePressurePrinter(llvm::StringRef Name,
                          llvm::ModulePassManager &Manager);

/// Whether Rust wants a function of a module prepared before code is generated.
bool isAskedFor(llvm::Module &M);

/// Prepares modules in a pipeline that generates code.
llvm::ModulePass *createIrPreparation(llvm::TargetMachine &TM);

} // namespace warpalloc

#endif
