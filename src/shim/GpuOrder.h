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
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/CodeGen/ScheduleDAGInstrs.h"

namespace llvm {
class AAResults;
class LiveIntervals;
} // namespace llvm

namespace warpalloc {

class FunctionTables;
class GpuText;

/// Finds out what must stay in order.
class GpuOrder : public llvm::ScheduleDAGInstrs {
public:
  GpuOrder(llvm::MachineFunction &MF, const llvm::MachineLoopInfo &Loops,
           llvm::AAResults &Aliases, const PassedThrough &Passed, GpuText &Text)
      : ScheduleDAGInstrs(MF, &Loops), Aliases(Aliases), Passed(Passed),
        Text(Text) {}

  using Report = llvm::function_ref<void(const llvm::MachineInstr &First,
                                         const llvm::MachineInstr &Second)>;

  /// Reports the pairs of a block's instructions that have to stay in order for
  /// other reasons than the virtual registers they name. Shuffles are not kept
  /// in order among themselves.
  void find(llvm::MachineBasicBlock &Block, Report Add);

  void schedule() override {}

private:
  bool mayMove(const llvm::MachineBasicBlock &Block) const;
  bool isShuffle(const llvm::MachineInstr &MI) const;
  bool isPure(const llvm::MachineInstr &MI) const;
  bool isComputation(const llvm::MachineInstr &MI);
  void findConvergent(const llvm::MachineBasicBlock &Block, bool IsFixed,
                      Report Add);
  void findPassedThrough(const llvm::MachineBasicBlock &Block,
                         Report Add) const;

  llvm::AAResults &Aliases;
  const PassedThrough &Passed;
  GpuText &Text;
  /// Which texts of inline assembly only compute.
  llvm::DenseMap<const char *, bool> Computes;
};

/// Moves instructions so that the one with the number Order[I] comes to place
/// I.
void reorder(llvm::MachineFunction &MF, const FunctionTables &Tables,
             llvm::ArrayRef<uint32_t> Order, llvm::LiveIntervals &Intervals);

} // namespace warpalloc

#endif
