//===- IrPreparation.cpp - Passes over IR where code is generated ---------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llc generates code for bitcode from elsewhere and has no pipeline for IR of
// its own, so this runs one, with LLVM's instrumentation, before instruction
// selection.
//
//===----------------------------------------------------------------------===//

#include "IrPasses.h"
#include "warpalloc_abi.h"
#include "llvm-c/Types.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/CBindingWrapping.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace warpalloc;

namespace {

class IrPreparation : public ModulePass {
public:
  static char ID;
  explicit IrPreparation(TargetMachine &TM) : ModulePass(ID), TM(TM) {}

  StringRef getPassName() const override { return "Warpalloc Preparation"; }
  bool runOnModule(Module &M) override;

private:
  TargetMachine &TM;
};

} // namespace

char IrPreparation::ID = 0;

ModulePass *warpalloc::createIrPreparation(TargetMachine &TM) {
  return new IrPreparation(TM);
}

bool IrPreparation::runOnModule(Module &M) {
  if (!isAskedFor(M))
    return false;
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Modules;
  PassInstrumentationCallbacks Callbacks;
  StandardInstrumentations Instrumentations(M.getContext(),
                                            /*DebugLogging=*/false);
  Instrumentations.registerCallbacks(Callbacks, &Modules);

  PassBuilder Builder(&TM, PipelineTuningOptions(), std::nullopt, &Callbacks);
  registerIrPasses(Builder);
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Components);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Components, Modules);

  ModulePassManager Passes;
  if (Error Failure = Builder.parsePassPipeline(Passes, "warpalloc-prepare"))
    reportFatalUsageError(Twine("warpalloc: ") + toString(std::move(Failure)));
  Passes.run(M, Modules);
  return true;
}
