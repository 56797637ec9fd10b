//===- GpuOrder.h - The order of instructions -------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says which instructions must stay in order, and moves the others.
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_GPUORDER_H
#define WARPALLOC_SHIM_GPUORDER_H

#include "GpuAssembly.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/CodeGen/ScheduleDAGInstrs.h"

namespace llvm {
class AAResults;
class LiveIntervals;
} // namespace llvm

namespace warpalloc {

class FunctionTables;

/// Finds out what must stay in order.
class GpuOrder : public llvm::ScheduleDAGInstrs {
public:
  GpuOrder(llvm::MachineFunction &MF, const llvm::MachineLoopInfo &Loops,
           llvm::AAResults &Aliases, const PassedThrough &Passed)
      : ScheduleDAGInstrs(MF, &Loops), Aliases(Aliases), Passed(Passed) {}

  using Report = llvm::function_ref<void(const llvm::MachineInstr &First,
                                         const llvm::MachineInstr &Second)>;

  /// Reports the pairs of a block's instructions that have to stay in order for
  /// other reasons than the virtual registers they name.
  void find(llvm::MachineBasicBlock &Block, Report Add);

  void schedule() override {}

private:
  bool mayMove(const llvm::MachineBasicBlock &Block) const;
  bool isPure(const llvm::MachineInstr &MI) const;
  void findPassedThrough(const llvm::MachineBasicBlock &Block,
                         Report Add) const;

  llvm::AAResults &Aliases;
  const PassedThrough &Passed;
};

/// Moves instructions so that the one with the number Order[I] comes to place
/// I.
void reorder(llvm::MachineFunction &MF, const FunctionTables &Tables,
             llvm::ArrayRef<uint32_t> Order, llvm::LiveIntervals &Intervals);

} // namespace warpalloc

#endif
