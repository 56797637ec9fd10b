//===- GpuAddresses.h - Addresses that need no register ---------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What instruction selection leaves in registers, and machine code has as
// operands. It is put right before anything is counted.
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_GPUADDRESSES_H
#define WARPALLOC_SHIM_GPUADDRESSES_H

namespace llvm {
class LiveIntervals;
class MachineFunction;
class MachineInstr;
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

/// Takes generic addresses of global memory as global ones.
///
/// PTX defines that a generic address outside the windows of the other spaces
/// is the global address itself; a conversion does nothing but make a second
/// value, which unlike a kernel's parameter cannot be loaded again.
void foldGlobalAddresses(llvm::MachineFunction &MF, const GpuTarget &Target,
                         llvm::LiveIntervals &Intervals);

/// Has loads of a kernel's parameters name the parameter.
///
/// Instruction selection goes block by block: where one block takes a
/// parameter's address and another one loads from it, the address has a pair
/// of registers between them, and the load reads it.
void foldParameterAddresses(llvm::MachineFunction &MF, const GpuTarget &Target,
                            llvm::LiveIntervals &Intervals);

/// Erases the only definition of a register, operand 0, if nothing reads it any
/// more. Whether it did.
bool eraseUnread(llvm::MachineInstr &Definition,
                 llvm::LiveIntervals &Intervals);

} // namespace warpalloc

#endif
