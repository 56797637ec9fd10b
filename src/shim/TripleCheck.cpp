//===- TripleCheck.cpp - GPU code that is about to become the host's ------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llc compiles LLVM IR without a target triple for the machine that it runs on.
// Instruction selection would end in a crash report at the first intrinsic of
// NVPTX, so this stands before it.
//
//===----------------------------------------------------------------------===//

#include "Registration.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace {

class TripleCheck : public ModulePass {
public:
  static char ID;
  explicit TripleCheck(std::string Cause)
      : ModulePass(ID), Cause(std::move(Cause)) {}

  StringRef getPassName() const override { return "Warpalloc Triple Check"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
  }
  bool runOnModule(Module &M) override;

private:
  std::string Cause;
};

} // namespace

char TripleCheck::ID = 0;

ModulePass *warpalloc::createTripleCheck(std::string Cause) {
  return new TripleCheck(std::move(Cause));
}

bool TripleCheck::runOnModule(Module &M) {
  if (M.getTargetTriple().empty())
    reportFatalUsageError(Twine("warpalloc: '") + M.getModuleIdentifier() +
                          "' has no target triple and is compiled for " +
                          sys::getDefaultTargetTriple() + ", but " + Cause +
                          " is for NVPTX: give -mtriple=nvptx64-nvidia-cuda");
  return false;
}
