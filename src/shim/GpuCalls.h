//===- GpuCalls.h - Who calls whom in a module ------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exports the calls of a module's IR. It is read once, before hand-off changes
// the kernels' attributes.
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_GPUCALLS_H
#define WARPALLOC_SHIM_GPUCALLS_H

#include "warpalloc_abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace warpalloc {

/// The call graph of a module.
class GpuCalls {
public:
  /// Forgets the module before.
  void clear();

  /// Reads the module of the function, unless it has been read.
  void read(const llvm::Function &F);

  /// The graph for a function, valid until the next call; null for a kernel
  /// that calls nothing through pointers.
  const WarpallocCallGraph *get(const llvm::Function &F);

  /// Whether a function of the module that was read calls others, and another
  /// module defines some that this one calls.
  bool hasLinkedCalls(const llvm::Function &F) const;

private:
  void addCalls(const llvm::Function &F);

  const llvm::Module *Known = nullptr;
  bool CallsElsewhere = false;
  llvm::DenseMap<const llvm::Function *, unsigned> Number;
  llvm::SmallPtrSet<const llvm::Function *, 8> Callers;
  std::vector<std::string> Names;
  std::vector<WarpallocNode> Nodes;
  std::vector<WarpallocCall> Calls;
  WarpallocCallGraph Graph = {};
};

} // namespace warpalloc

#endif
