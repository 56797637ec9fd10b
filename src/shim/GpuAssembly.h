//===- GpuAssembly.h - Operands that pass through assembly ------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_GPUASSEMBLY_H
#define WARPALLOC_SHIM_GPUASSEMBLY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/Register.h"

namespace llvm {
class LiveIntervals;
class MachineFunction;
class MachineInstr;
} // namespace llvm

namespace warpalloc {

/// The values that pass through inline assembly, which is a place in their
/// order all the same.
using PassedThrough = llvm::DenseMap<const llvm::MachineInstr *,
                                     llvm::SmallVector<llvm::Register, 4>>;

/// Takes the operands off inline assembly that Rust says its text can do
/// without.
PassedThrough shortenAssembly(llvm::MachineFunction &MF,
                              llvm::LiveIntervals &Intervals);

} // namespace warpalloc

#endif
