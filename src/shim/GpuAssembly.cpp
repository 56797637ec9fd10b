//===- GpuAssembly.cpp - Operands that pass through assembly --------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuAssembly.h"
#include "warpalloc_abi.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/InlineAsm.h"
#include <memory>

using namespace llvm;
using namespace warpalloc;

namespace {

/// A word of inline assembly that says what follows, and that.
struct Group {
  unsigned Flag;
  InlineAsm::Flag What;
};

struct TextDeleter {
  void operator()(char *Text) const { warpalloc_text_free(Text); }
};

} // namespace

static SmallVector<Group> groupsOf(const MachineInstr &MI) {
  SmallVector<Group> Groups;
  for (unsigned I = InlineAsm::MIOp_FirstOperand;
       I < MI.getNumOperands() && MI.getOperand(I).isImm();) {
    InlineAsm::Flag What(MI.getOperand(I).getImm());
    Groups.push_back({I, What});
    I += 1 + What.getNumOperandRegisters();
  }
  return Groups;
}

/// What Rust has to know. A result and what is tied to it can go only if they
/// are one virtual register.
static SmallVector<WarpallocAssemblyOperand> describe(const MachineInstr &MI,
                                                      ArrayRef<Group> Groups) {
  SmallVector<WarpallocAssemblyOperand> Operands;
  for (const Group &One : Groups) {
    WarpallocAssemblyOperand Data = {WARPALLOC_NONE, true};
    unsigned Result;
    if (One.What.getNumOperandRegisters() == 1 &&
        One.What.isUseOperandTiedToDef(Result)) {
      const MachineOperand &Source = MI.getOperand(One.Flag + 1);
      if (Source.getReg().isVirtual() && !Source.isUndef() &&
          Source.getReg() == MI.getOperand(Groups[Result].Flag + 1).getReg())
        Data.tied_to = Result;
    }
    Operands.push_back(Data);
  }
  return Operands;
}

/// Takes groups of operands off, and puts right what counts them.
static void remove(MachineInstr &MI, ArrayRef<Group> Groups,
                   ArrayRef<WarpallocAssemblyOperand> Operands) {
  for (MachineOperand &Operand : MI.operands())
    if (Operand.isReg() && Operand.isUse() && Operand.isTied())
      MI.untieRegOperand(Operand.getOperandNo());
  for (size_t Number = Groups.size(); Number--;)
    if (!Operands[Number].stays)
      for (unsigned Left = 1 + Groups[Number].What.getNumOperandRegisters();
           Left--;)
        MI.removeOperand(Groups[Number].Flag + Left);

  SmallVector<unsigned> NewNumber;
  unsigned Count = 0;
  for (const WarpallocAssemblyOperand &One : Operands) {
    NewNumber.push_back(Count);
    Count += One.stays;
  }
  SmallVector<Group> Left = groupsOf(MI);
  for (const Group &One : Left) {
    unsigned Result;
    if (!One.What.isUseOperandTiedToDef(Result))
      continue;
    InlineAsm::Flag What(One.What.getKind(), One.What.getNumOperandRegisters());
    What.setMatchingOp(NewNumber[Result]);
    MI.getOperand(One.Flag).setImm(What);
    for (unsigned I = 1; I <= What.getNumOperandRegisters(); ++I)
      MI.tieOperands(Left[NewNumber[Result]].Flag + I, One.Flag + I);
  }
}

PassedThrough warpalloc::shortenAssembly(MachineFunction &MF,
                                         LiveIntervals &Intervals) {
  PassedThrough Passed;
  SmallSetVector<Register, 16> Changed;
  for (MachineBasicBlock &Block : MF)
    for (MachineInstr &MI : Block) {
      if (MI.getOpcode() != TargetOpcode::INLINEASM)
        continue;
      SmallVector<Group> Groups = groupsOf(MI);
      SmallVector<WarpallocAssemblyOperand> Operands = describe(MI, Groups);
      std::unique_ptr<char, TextDeleter> Text(warpalloc_shorten_assembly(
          MI.getOperand(InlineAsm::MIOp_AsmString).getSymbolName(),
          Operands.data(), Operands.size()));
      if (!Text)
        continue;
      auto &Registers = Passed[&MI];
      for (auto [One, Data] : zip(Groups, Operands))
        if (!Data.stays) {
          Register Reg = MI.getOperand(One.Flag + 1).getReg();
          Changed.insert(Reg);
          if (!is_contained(Registers, Reg))
            Registers.push_back(Reg);
        }
      remove(MI, Groups, Operands);
      MI.getOperand(InlineAsm::MIOp_AsmString)
          .ChangeToES(MF.createExternalSymbolName(Text.get()));
    }
  MachineRegisterInfo &MRI = MF.getRegInfo();
  for (Register Reg : Changed) {
    MRI.clearKillFlags(Reg);
    Intervals.removeInterval(Reg);
    Intervals.createAndComputeVirtRegInterval(Reg);
  }
  return Passed;
}
