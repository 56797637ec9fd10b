//===- GpuUniform.h - Uniformity of NVPTX instructions ----------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an NVPTX instruction has to do with the threads of a warp: whether its
// result may differ between them, and what the uniform data path of the GPU,
// which computes once for the whole warp, could do with it. These are facts
// about opcodes; what to make of them is decided elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_GPUUNIFORM_H
#define WARPALLOC_SHIM_GPUUNIFORM_H

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class MachineInstr;
class StringRef;
} // namespace llvm

namespace warpalloc {

/// Answers for the instructions of all NVPTX functions.
class GpuUniform {
public:
  /// WARPALLOC_DIVERGENT, WARPALLOC_UNIFORM_PATH and WARPALLOC_UNIFORM_SOURCE,
  /// as they apply to an instruction on an SM.
  unsigned flags(const llvm::MachineInstr &MI, unsigned SM);

  /// Whether it loads what nobody writes while the kernel runs: one of its
  /// parameters, and no result of a call, which has the same space; or a
  /// constant. LLVM calls it invariant, but dereferenceable only where the
  /// address is the parameter's name.
  static bool isConstantLoad(const llvm::MachineInstr &MI);

private:
  /// What holds for all instructions of an opcode. An SM of 0 means never.
  struct Facts {
    /// The result depends on nothing but the operands.
    bool IsFunction = false;
    /// The first SM whose uniform data path can execute it.
    unsigned PathFrom = 0;
    /// The first SM on which it can read one uniform register when it is
    /// executed for each thread.
    unsigned SourceFrom = 0;
  };

  static Facts lookUp(llvm::StringRef Name);

  /// Names are matched once for each opcode in use.
  llvm::DenseMap<unsigned, Facts> Known;
};

} // namespace warpalloc

#endif
