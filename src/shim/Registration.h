//===- Registration.h - What LLVM learns of us ------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_REGISTRATION_H
#define WARPALLOC_SHIM_REGISTRATION_H

#include "llvm/CodeGen/RegAllocRegistry.h"
#include <string>

namespace llvm {
class FunctionPass;
class ModulePass;
class TargetMachine;
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

/// Gives functions what the choices file says of them, before anything is done
/// to them.
llvm::ModulePass *createChooser(llvm::TargetMachine &TM);

/// Ends the compilation of a module without a target triple, which is for the
/// host, with an error: \p Cause is on the command line, and for NVPTX only.
llvm::ModulePass *createTripleCheck(std::string Cause);

} // namespace warpalloc

#endif
