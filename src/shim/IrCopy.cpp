//===- IrCopy.cpp - A copy of a module to look at -------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many registers IR needs shows only once passes have run that the back
// end runs. They run here over a copy.
//
//===----------------------------------------------------------------------===//

#include "IrPasses.h"
#include "warpalloc_abi.h"
#include "llvm-c/Types.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CBindingWrapping.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace warpalloc;

namespace {

/// A copy, and the analyses that know it beside its original.
struct IrCopy {
  IrCopy(const IrAnalyses &Original, const SmallPtrSetImpl<void *> &Wanted,
         const char *Text);
  ~IrCopy();

  std::unique_ptr<Module> M;
  IrAnalyses Analyses;
};

} // namespace

static std::unique_ptr<Module> copyOf(const Module &M,
                                      const SmallPtrSetImpl<void *> &Wanted) {
  ValueToValueMapTy Map;
  return CloneModule(M, Map, [&](const GlobalValue *Value) {
    return !isa<Function>(Value) || Wanted.contains(wrap(Value));
  });
}

/// What the managers know of functions is of the copy's own, once they have
/// been told of it.
IrCopy::IrCopy(const IrAnalyses &Original,
               const SmallPtrSetImpl<void *> &Wanted, const char *Text)
    : M(copyOf(Original.M, Wanted)),
      Analyses{
          *M,
          Original.Modules.getResult<FunctionAnalysisManagerModuleProxy>(*M)
              .getManager(),
          Original.Modules} {
  ModulePassManager Passes;
  if (Error Failure = PassBuilder().parsePassPipeline(Passes, Text))
    reportFatalUsageError(Twine("warpalloc: ") + toString(std::move(Failure)));
  Passes.run(*M, Analyses.Modules);
}

/// Nothing may be known any more of functions that are gone.
IrCopy::~IrCopy() {
  for (Function &F : *M)
    Analyses.Functions.clear(F, F.getName());
  Analyses.Modules.clear(*M, M->getName());
}

/// Copies a module, with the bodies of some functions, and runs passes over the
/// copy, which lasts until it is freed.
extern "C" void *warpalloc_ir_copy_new(void *Analyses, void *const *Functions,
                                       size_t Count, const char *Passes,
                                       WarpallocIrCopy *Out) {
  SmallPtrSet<void *, 8> Wanted(Functions, Functions + Count);
  auto *Copy = new IrCopy(*static_cast<IrAnalyses *>(Analyses), Wanted, Passes);
  Out->module = wrap(Copy->M.get());
  Out->analyses = &Copy->Analyses;
  return Copy;
}

extern "C" void warpalloc_ir_copy_free(void *Copy) {
  delete static_cast<IrCopy *>(Copy);
}
