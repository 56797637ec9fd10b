//===- GpuLaunch.h - Launch bounds of kernels -------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what a function for NVPTX says about its blocks. LLVM's own accessors
// for these attributes are not exported.
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_GPULAUNCH_H
#define WARPALLOC_SHIM_GPULAUNCH_H

#include "warpalloc_abi.h"

namespace llvm {
class Function;
} // namespace llvm

namespace warpalloc {

/// Whether a function is one that is launched.
bool isKernel(const llvm::Function &F);

/// The launch bounds of a function, and the variables in shared memory that it
/// names itself; those of functions that it calls are left out.
WarpallocLaunch getLaunch(const llvm::Function &F);

} // namespace warpalloc

#endif
