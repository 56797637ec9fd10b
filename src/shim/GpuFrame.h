//===- GpuFrame.h - Addresses of the local frame ----------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_GPUFRAME_H
#define WARPALLOC_SHIM_GPUFRAME_H

namespace llvm {
class LiveIntervals;
class MachineFunction;
} // namespace llvm

namespace warpalloc {

class GpuTarget;

/// Takes local addresses of stack objects straight from the frame.
///
/// LLVM converts the generic address and leaves it to nvptx-peephole to undo
/// that; the peephole gives up when a register has several definitions, which
/// they all have after allocation.
void foldLocalAddresses(llvm::MachineFunction &MF, const GpuTarget &Target,
                        llvm::LiveIntervals &Intervals);

} // namespace warpalloc

#endif
