//===- GpuApply.h - Rewrites a PTX function ---------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_GPUAPPLY_H
#define WARPALLOC_SHIM_GPUAPPLY_H

#include "Edits.h"
#include "Gpu.h"

namespace llvm {
class LiveIntervals;
} // namespace llvm

namespace warpalloc {

/// Inserts spill code and gives every register of the allocation one virtual
/// register of its class, so that the PTX declares just these.
class GpuApplier : public EditApplier {
public:
  GpuApplier(llvm::MachineFunction &MF, const FunctionTables &Tables,
             const WarpallocResult &Result, const GpuTarget &Target,
             const llvm::LiveIntervals &Intervals)
      : EditApplier(MF, Tables, Result), Target(Target), Intervals(Intervals) {}

  void apply();

private:
  void store(Iterator Where, llvm::ArrayRef<llvm::Register> Values,
             unsigned Slot) override;
  void reload(Iterator Where, llvm::ArrayRef<llvm::Register> Values,
              unsigned Slot) override;
  void widen(Iterator Where, llvm::Register To, llvm::Register From) override;
  void narrow(Iterator Where, llvm::Register To, llvm::Register From) override;
  void inserted(Iterator, Iterator) override {}
  void renamed(llvm::Register From, llvm::Register To) override;
  void deleteCopy(llvm::MachineInstr &Copy) override;
  void deleteDefinition(llvm::MachineInstr &Definition) override;
  llvm::MachineInstr &fold(llvm::MachineInstr &, llvm::Register,
                           unsigned) override;
  llvm::MachineInstr &foldLoad(llvm::MachineInstr &, llvm::Register,
                               llvm::MachineInstr &) override;

  void createSlots();
  void createWords();
  void undefineStaleDebugValues();
  void describeSpilledDebugValues();
  void nameRegisters();
  void rewriteOperands();

  const GpuTarget &Target;
  const llvm::LiveIntervals &Intervals;
  llvm::SmallVector<StackSlot, 16> Slots;
  /// Where predicates are that live as bits.
  llvm::DenseMap<llvm::Register, PackedBit> Bits;
  /// What they are taken out by.
  llvm::Register Scratch;
  /// For each virtual register, the one that stands for its register.
  llvm::DenseMap<llvm::Register, llvm::Register> NameOf;
};

} // namespace warpalloc

#endif
