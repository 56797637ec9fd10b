//===- IrPressure.cpp - Register pressure of LLVM IR ----------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A printer as LLVM's own, of which Rust writes the text, and what it asks.
//
//===----------------------------------------------------------------------===//

#include "IrPasses.h"
#include "warpalloc_abi.h"
#include "llvm-c/Types.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CBindingWrapping.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <string>

using namespace llvm;
using namespace warpalloc;

namespace {

class PressurePrinter : public PassInfoMixin<PressurePrinter> {
public:
  PressurePrinter(StringRef Name, ModulePassManager Lowering)
      : Name(Name), Lowering(std::move(Lowering)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &Manager);
  static StringRef name() { return "WarpallocPressurePrinterPass"; }
  static bool isRequired() { return true; }

private:
  /// With its parameters.
  std::string Name;
  /// For a copy of the module.
  ModulePassManager Lowering;
};

} // namespace

/// Ends the program with what Rust says.
[[noreturn]] static void fail(char *Message) {
  std::string Cause = Message;
  warpalloc_ir_text_free(Message);
  reportFatalUsageError(Twine("warpalloc: ") + Cause);
}

PreservedAnalyses PressurePrinter::run(Module &M,
                                       ModuleAnalysisManager &Manager) {
  std::unique_ptr<Module> Copy = CloneModule(M);
  Lowering.run(*Copy, Manager);
  IrAnalyses Analyses{
      *Copy, Manager.getResult<FunctionAnalysisManagerModuleProxy>(*Copy)
                 .getManager()};
  char *Message = nullptr;
  char *Text = warpalloc_ir_pressure(Name.c_str(), wrap(Copy.get()), &Analyses,
                                     &Message);
  if (!Text)
    fail(Message);
  errs() << Text;
  warpalloc_ir_text_free(Text);
  // Nothing may be known any more of functions that are gone.
  for (Function &F : *Copy)
    Analyses.Functions.clear(F, F.getName());
  Manager.clear(*Copy, Copy->getName());
  return PreservedAnalyses::all();
}

bool warpalloc::parsePressurePrinter(PassBuilder &Builder, StringRef Name,
                                     ModulePassManager &Manager) {
  char *Message = nullptr;
  char *Text = warpalloc_ir_pressure_lowering(Name.str().c_str(), &Message);
  if (Message)
    fail(Message);
  if (!Text)
    return false;
  ModulePassManager Lowering;
  Error Failure = Builder.parsePassPipeline(Lowering, Text);
  warpalloc_ir_text_free(Text);
  if (Failure)
    reportFatalUsageError(Twine("warpalloc: ") + toString(std::move(Failure)));
  Manager.addPass(PressurePrinter(Name, std::move(Lowering)));
  return true;
}

/// Which values of a function differ among the threads of a warp. The result
/// is the analysis manager's.
extern "C" const void *warpalloc_ir_uniformity(void *Analyses, void *Asked) {
  auto *F = unwrap<Function>(static_cast<LLVMValueRef>(Asked));
  return &static_cast<IrAnalyses *>(Analyses)
              ->Functions.getResult<UniformityInfoAnalysis>(*F);
}

extern "C" bool warpalloc_ir_is_divergent(const void *Uniformity, void *V) {
  return static_cast<const UniformityInfo *>(Uniformity)
      ->isDivergent(unwrap(static_cast<LLVMValueRef>(V)));
}
