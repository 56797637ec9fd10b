//===- IrOriginals.cpp - Functions as they were ---------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a change was for the better shows when it has been made: Rust keeps a
// copy of a function beside it, and puts one of the two in its place.
//
//===----------------------------------------------------------------------===//

#include "IrPasses.h"
#include "warpalloc_abi.h"
#include "llvm-c/Types.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CBindingWrapping.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace warpalloc;

static Function &functionOf(void *F) {
  return *cast<Function>(unwrap(static_cast<LLVMValueRef>(F)));
}

/// A copy of a function in its module, which nothing removes by itself.
extern "C" void *warpalloc_ir_function_copy(void *Pointer, const char *Name) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&functionOf(Pointer), Map);
  Copy->setName(Name);
  Copy->setLinkage(GlobalValue::ExternalLinkage);
  Copy->setComdat(nullptr);
  return wrap(Copy);
}

/// Gives a function the body and the attributes of its copy, which is no more
/// afterwards.
extern "C" void warpalloc_ir_function_restore(void *Analyses, void *Pointer,
                                              void *CopyPointer) {
  Function &F = functionOf(Pointer), &Copy = functionOf(CopyPointer);
  auto &Functions = static_cast<IrAnalyses *>(Analyses)->Functions;
  Functions.clear(F, F.getName());
  Functions.clear(Copy, Copy.getName());
  // LLVM takes a function without a body for one that others define.
  GlobalValue::LinkageTypes Linkage = F.getLinkage();
  F.deleteBody();
  F.setLinkage(Linkage);
  F.setAttributes(Copy.getAttributes());
  F.copyMetadata(&Copy, 0);
  F.splice(F.begin(), &Copy);
  for (auto [Mine, Theirs] : zip_equal(F.args(), Copy.args()))
    Theirs.replaceAllUsesWith(&Mine);
  Copy.eraseFromParent();
}

/// Forgets what was found out about a function.
extern "C" void warpalloc_ir_function_forget(void *Analyses, void *Pointer) {
  Function &F = functionOf(Pointer);
  static_cast<IrAnalyses *>(Analyses)->Functions.clear(F, F.getName());
}

/// Removes a copy.
extern "C" void warpalloc_ir_function_remove(void *Analyses, void *Pointer) {
  Function &Copy = functionOf(Pointer);
  static_cast<IrAnalyses *>(Analyses)->Functions.clear(Copy, Copy.getName());
  Copy.eraseFromParent();
}
