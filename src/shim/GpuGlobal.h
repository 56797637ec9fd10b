//===- GpuGlobal.h - Addresses of global memory -----------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_GPUGLOBAL_H
#define WARPALLOC_SHIM_GPUGLOBAL_H

namespace llvm {
class LiveIntervals;
class MachineFunction;
} // namespace llvm

namespace warpalloc {

class GpuTarget;

/// Takes generic addresses of global memory as global ones.
///
/// PTX defines that a generic address outside the windows of the other spaces
/// is the global address itself; a conversion does nothing but make a second
/// value, which unlike a kernel's parameter cannot be loaded again.
void foldGlobalAddresses(llvm::MachineFunction &MF, const GpuTarget &Target,
                         llvm::LiveIntervals &Intervals);

} // namespace warpalloc

#endif
