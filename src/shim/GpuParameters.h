//===- GpuParameters.h - Addresses of parameters ----------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_GPUPARAMETERS_H
#define WARPALLOC_SHIM_GPUPARAMETERS_H

namespace llvm {
class LiveIntervals;
class MachineFunction;
} // namespace llvm

namespace warpalloc {

class GpuTarget;

/// Has loads of a kernel's parameters name the parameter.
///
/// Instruction selection goes block by block: where one block takes a
/// parameter's address and another one loads from it, the address has a pair
/// of registers between them, and the load reads it. In machine code all of
/// that is an operand.
void foldParameterAddresses(llvm::MachineFunction &MF, const GpuTarget &Target,
                            llvm::LiveIntervals &Intervals);

} // namespace warpalloc

#endif
