//===- Allocation.h - Calls into Rust ---------------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_ALLOCATION_H
#define WARPALLOC_SHIM_ALLOCATION_H

#include "warpalloc_abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"
#include <memory>

namespace llvm {
class MachineFunction;
class TargetRegisterInfo;
} // namespace llvm

namespace warpalloc {

struct Deleter {
  void operator()(WarpallocMachine *M) const { warpalloc_machine_free(M); }
  void operator()(WarpallocModule *M) const { warpalloc_module_free(M); }
  void operator()(WarpallocResult *R) const { warpalloc_result_free(R); }
};
using Machine = std::unique_ptr<WarpallocMachine, Deleter>;
using ModuleHandle = std::unique_ptr<WarpallocModule, Deleter>;
using Result = std::unique_ptr<WarpallocResult, Deleter>;

/// The imported register tables, one for each subtarget met.
class MachineCache {
public:
  /// Null if the import failed. The first function on a subtarget gets the
  /// remark about it.
  const WarpallocMachine *get(llvm::MachineFunction &MF);

private:
  llvm::DenseMap<const llvm::TargetRegisterInfo *, Machine> Known;
};

/// 90 for `sm_90a`; 0 if the subtarget does not say.
unsigned getSmVersion(const llvm::MachineFunction &MF);

/// Allocates the function; null after a diagnostic. With a module, its
/// functions are remembered.
Result allocate(llvm::MachineFunction &MF, MachineCache &Cache,
                const WarpallocFunction &Table,
                WarpallocModule *Module = nullptr);

/// Tells the user that a function cannot be allocated, and LLVM that what
/// follows cannot rely on it. The compiler exits with an error at its end.
void reportError(llvm::MachineFunction &MF, const llvm::Twine &Message);

} // namespace warpalloc

#endif
