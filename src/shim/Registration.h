//===- Registration.h - What LLVM learns of us ------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_REGISTRATION_H
#define WARPALLOC_SHIM_REGISTRATION_H

#include "llvm/CodeGen/RegAllocRegistry.h"

namespace llvm {
class FunctionPass;
// libLLVM's registry, not a copy of our own: rustc makes every C++ symbol of
// this library local, a weak definition would never meet the real one.
template <>
MachinePassRegistry<FunctionPass *(*)()>
    RegisterRegAllocBase<RegisterRegAlloc>::Registry;
} // namespace llvm

namespace warpalloc {

/// The allocator for targets whose registers LLVM knows.
llvm::FunctionPass *createAllocator();

/// The allocator for NVPTX.
llvm::FunctionPass *createGpuAllocator();

/// Directs spill code on NVPTX to local addresses, after frame lowering.
llvm::FunctionPass *createGpuFrameFixup();

} // namespace warpalloc

#endif
