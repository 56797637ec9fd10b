//===- GpuWaits.h - Registers in flight -------------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_GPUWAITS_H
#define WARPALLOC_SHIM_GPUWAITS_H

namespace llvm {
class LiveIntervals;
class MachineBlockFrequencyInfo;
class MachineFunction;
} // namespace llvm

namespace warpalloc {

struct Analyses;
class FunctionTables;
class MachineCache;

/// Moves accesses to what asynchronous instructions still have behind the waits
/// for these, in the order that Rust finds, or has early definitions copied
/// there, and builds the tables again then.
void moveBehindWaits(llvm::MachineFunction &MF, MachineCache &Machines,
                     FunctionTables &Tables, const Analyses &Known,
                     llvm::LiveIntervals &Intervals,
                     llvm::MachineBlockFrequencyInfo &Frequencies);

} // namespace warpalloc

#endif
