//===- CpuFold.cpp - Operands that access memory themselves ---------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuApply.h"
#include "FoldTrial.h"
#include "Options.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBundle.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace warpalloc;

MachineInstr &CpuApplier::fold(MachineInstr &MI, Register Value,
                               unsigned Slot) {
  int Index = frameIndexFor(Slot, Value, *MRI.getRegClass(Value));
  MachineInstr *Folded = replace(MI, Value, [&](ArrayRef<unsigned> Operands) {
    return TII.foldMemoryOperand(MI, Operands, Index, &State.Intervals);
  });
  if (Folded)
    return *Folded;
  accessInRegister(
      MI, Value,
      [&](Iterator Where, Register Reg) { reload(Where, Reg, Slot); },
      [&](Iterator Where, Register Reg) { store(Where, Reg, Slot); });
  return MI;
}

MachineInstr &CpuApplier::foldLoad(MachineInstr &MI, Register Value,
                                   MachineInstr &Load) {
  Changed.insert(Value);
  MachineInstr *Folded = replace(MI, Value, [&](ArrayRef<unsigned> Operands) {
    return TII.foldMemoryOperand(MI, Operands, Load, &State.Intervals);
  });
  if (Folded)
    return *Folded;
  accessInRegister(
      MI, Value,
      [&](Iterator Where, Register Reg) {
        rematerialise(Where, Reg, Load, {});
      },
      [](Iterator, Register) { llvm_unreachable("a load writes nothing"); });
  return MI;
}

/// Puts what the target folds in the place of an instruction, if it folds it;
/// null if not.
MachineInstr *CpuApplier::replace(
    MachineInstr &MI, Register Value,
    function_ref<MachineInstr *(ArrayRef<unsigned> Operands)> Fold) {
  SmallVector<unsigned, 2> Operands = getFoldOperands(MI, Value);
  MachineBasicBlock &Parent = *MI.getParent();
  MachineInstrSpan Span(MI.getIterator(), &Parent);
  MachineInstr *Folded = nullptr;
  if (!Operands.empty() && !refusesFolds())
    Folded = Fold(Operands);
  if (!Folded)
    return nullptr;

  // Without its register the instruction may do without setting flags.
  SlotIndex At = State.Intervals.getInstructionIndex(MI).getRegSlot();
  for (const MachineOperand &Operand : MI.all_defs()) {
    Register Reg = Operand.getReg();
    if (Reg.isPhysical() && !MRI.isReserved(Reg) &&
        !Folded->definesRegister(Reg, &TRI))
      State.Intervals.removePhysRegDefAt(Reg.asMCReg(), At);
  }
  State.Intervals.ReplaceMachineInstrInMaps(MI, *Folded);
  for (MachineInstr &Other : Span)
    if (&Other != Folded && &Other != &MI)
      State.Intervals.InsertMachineInstrInMaps(Other);
  if (MI.shouldUpdateAdditionalCallInfo())
    MF.moveAdditionalCallInfo(&MI, Folded);
  keepDebugNumber(MI, *Folded, Operands.front());
  MI.eraseFromParent();
  return Folded;
}

/// What debug information knows as a result of the old instruction is one of
/// the new, or in the memory that this writes.
void CpuApplier::keepDebugNumber(MachineInstr &Old, MachineInstr &New,
                                 unsigned FirstFolded) {
  unsigned Number = Old.peekDebugInstrNum();
  if (!Number)
    return;
  if (FirstFolded == 0 && Old.getOperand(0).isDef())
    MF.makeDebugValueSubstitution(
        {Number, 0},
        {New.getDebugInstrNum(), MachineFunction::DebugOperandMemNumber});
  else
    MF.substituteDebugValuesForInst(Old, New, FirstFolded);
}

/// The target folds less than it did on trial: the instruction gets a register
/// after all, for which there must be another round.
void CpuApplier::accessInRegister(
    MachineInstr &MI, Register Value,
    function_ref<void(Iterator Where, Register Reg)> Load,
    function_ref<void(Iterator Where, Register Reg)> Store) {
  Register Reg = MRI.createVirtualRegister(MRI.getRegClass(Value));
  State.Map.grow();
  auto [Reads, Writes] = MI.readsWritesVirtualRegister(Value);
  for (MachineOperand &Operand : MI.operands()) {
    if (!Operand.isReg() || Operand.getReg() != Value)
      continue;
    Operand.setReg(Reg);
    if (Operand.isUse())
      Operand.setIsKill(false);
  }
  Block = MI.getParent();
  Anchor = &MI;
  Iterator Before = MI, After = std::next(Before);
  if (Reads)
    insert(Before, [&] { Load(Before, Reg); });
  if (Writes)
    insert(After, [&] { Store(After, Reg); });
}
