//===- CpuApply.h - Applies an allocation through VirtRegMap ----*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_CPUAPPLY_H
#define WARPALLOC_SHIM_CPUAPPLY_H

#include "Edits.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class LiveDebugVariables;
class LiveStacks;
class TargetInstrInfo;
} // namespace llvm

namespace warpalloc {

/// What must be kept right while spill code is inserted.
struct CpuState {
  llvm::LiveIntervals &Intervals;
  llvm::LiveStacks &Stacks;
  llvm::VirtRegMap &Map;
  llvm::LiveRegMatrix &Matrix;
  llvm::LiveDebugVariables &DebugVariables;
};

/// Inserts spill code and assigns registers; LLVM's VirtRegRewriter does the
/// rest.
class CpuApplier : public EditApplier {
public:
  CpuApplier(llvm::MachineFunction &MF, const FunctionTables &Tables,
             const WarpallocResult &Result, CpuState State);

  /// Inserts the spill code and recomputes live intervals. False after a
  /// diagnostic.
  bool spill();

  /// Virtual registers that spilling made, those of the target included.
  llvm::ArrayRef<llvm::Register> created() const { return NewRegisters; }

  /// Whether the target's spill code needs registers of its own, so that there
  /// must be another round.
  bool needsAnotherRound() const { return TargetMadeRegisters; }

  /// Assigns every virtual register. False after a diagnostic.
  bool assign();

private:
  void store(Iterator Where, llvm::ArrayRef<llvm::Register> Values,
             unsigned Slot) override;
  void reload(Iterator Where, llvm::ArrayRef<llvm::Register> Values,
              unsigned Slot) override;
  void widen(Iterator, llvm::Register, llvm::Register) override;
  void narrow(Iterator, llvm::Register, llvm::Register) override;
  void inserted(Iterator First, Iterator Last) override;
  void renamed(llvm::Register From, llvm::Register To) override;
  void deleteCopy(llvm::MachineInstr &Copy) override;
  void deleteDefinition(llvm::MachineInstr &Definition) override;
  llvm::MachineInstr &fold(llvm::MachineInstr &MI, llvm::Register Value,
                           unsigned Slot) override;
  llvm::MachineInstr &foldLoad(llvm::MachineInstr &MI, llvm::Register Value,
                               llvm::MachineInstr &Load) override;
  llvm::MachineInstr *replace(llvm::MachineInstr &MI, llvm::Register Value,
                              llvm::function_ref<llvm::MachineInstr *(
                                  llvm::ArrayRef<unsigned> Operands)>
                                  Fold);
  void keepDebugNumber(llvm::MachineInstr &Old, llvm::MachineInstr &New,
                       unsigned FirstFolded);
  void accessInRegister(
      llvm::MachineInstr &MI, llvm::Register Value,
      llvm::function_ref<void(Iterator Where, llvm::Register Reg)> Load,
      llvm::function_ref<void(Iterator Where, llvm::Register Reg)> Store);

  int frameIndex(unsigned Slot, const llvm::TargetRegisterClass &RC);
  void enterSlot(llvm::Register Reg, unsigned Slot);
  void addToSlot(int Index, const llvm::TargetRegisterClass &RC,
                 llvm::Register Reg);
  int frameIndexFor(unsigned Slot, llvm::Register Value,
                    const llvm::TargetRegisterClass &RC);
  bool leaveIntervals(llvm::Register Reg);
  void computeInterval(llvm::Register Reg);
  bool assign(llvm::Register Reg, const WarpallocLocation &Location);
  bool isFree(llvm::MCRegister Phys, llvm::Register Reg);
  void recomputeInterval(llvm::Register Reg);
  bool isInSlot(llvm::Register Reg) const;
  void describeCreatedRegisters();

  CpuState State;
  const llvm::TargetInstrInfo &TII;
  const llvm::TargetRegisterInfo &TRI;
  llvm::MachineRegisterInfo &MRI;
  /// Frame objects by slot, those of scalable vectors apart.
  llvm::DenseMap<std::pair<unsigned, unsigned>, int> FrameIndices;
  /// Values of which a part is in a slot, by slot.
  llvm::DenseSet<std::pair<unsigned, llvm::Register>> Partly;
  llvm::SmallSetVector<llvm::Register, 32> Changed;
  llvm::SmallVector<llvm::Register, 32> NewRegisters;
  /// The function's own registers that got the name of another.
  llvm::SmallMapVector<llvm::Register, llvm::Register, 8> Joined;
  /// New names of separate parts, with the register they were part of.
  llvm::SmallVector<std::pair<llvm::Register, llvm::Register>, 4> Separated;
  /// The frame index that the code just inserted accesses, if it does.
  std::optional<int> AccessedSlot;
  bool TargetMadeRegisters = false;
  bool CopyRefused = false;
};

} // namespace warpalloc

#endif
