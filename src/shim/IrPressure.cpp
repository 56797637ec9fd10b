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
#include "llvm/Support/CBindingWrapping.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

using namespace llvm;
using namespace warpalloc;

namespace {

class PressurePrinter : public PassInfoMixin<PressurePrinter> {
public:
  explicit PressurePrinter(StringRef Name) : Name(Name) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &Manager);
  static StringRef name() { return "WarpallocPressurePrinterPass"; }
  static bool isRequired() { return true; }

private:
  /// With its parameters.
  std::string Name;
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
  IrAnalyses Analyses{
      M, Manager.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager(),
      Manager};
  char *Message = nullptr;
  char *Text =
      warpalloc_ir_pressure(Name.c_str(), wrap(&M), &Analyses, &Message);
  if (!Text)
    fail(Message);
  errs() << Text;
  warpalloc_ir_text_free(Text);
  return PreservedAnalyses::all();
}

bool warpalloc::parsePressurePrinter(StringRef Name,
                                     ModulePassManager &Manager) {
  char *Message = nullptr;
  bool IsOurs = warpalloc_ir_is_pressure(Name.str().c_str(), &Message);
  if (Message)
    fail(Message);
  if (IsOurs)
    Manager.addPass(PressurePrinter(Name));
  return IsOurs;
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
