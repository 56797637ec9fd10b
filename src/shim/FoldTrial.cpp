//===- FoldTrial.cpp - Which operands can be in memory --------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldTrial.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace warpalloc;

/// Instructions with more operands than this are calls and the like.
static constexpr unsigned MostOperands = 8;

SmallVector<unsigned, 2> warpalloc::getFoldOperands(const MachineInstr &MI,
                                                    Register Value) {
  const TargetInstrInfo &TII = *MI.getMF()->getSubtarget().getInstrInfo();
  SmallVector<unsigned, 2> Numbers;
  for (const MachineOperand &Operand : MI.operands()) {
    if (!Operand.isReg() || Operand.getReg() != Value)
      continue;
    if (Operand.isImplicit() || Operand.isUndef() ||
        (Operand.isDef() && Operand.isDead()) ||
        (Operand.getSubReg() && (Operand.isDef() || !TII.isSubregFoldable())))
      return {};
    if (!MI.isRegTiedToDefOperand(Operand.getOperandNo()))
      Numbers.push_back(Operand.getOperandNo());
  }
  return Numbers;
}

void FoldTrial::start(MachineFunction &Function) {
  MF = &Function;
  bool IsForSize = MF->getFunction().hasOptSize();
  if (Subtarget == &MF->getSubtarget() && ForSize == IsForSize)
    return;
  Subtarget = &MF->getSubtarget();
  ForSize = IsForSize;
  Known.clear();
}

bool warpalloc::isRecord(const MachineInstr &MI) {
  return MI.getOpcode() == TargetOpcode::STACKMAP ||
         MI.getOpcode() == TargetOpcode::PATCHPOINT ||
         MI.getOpcode() == TargetOpcode::STATEPOINT;
}

/// What it is told besides may be anywhere, and what it writes or ties may not.
static bool canFoldIntoRecord(const MachineInstr &MI, Register Value) {
  const TargetInstrInfo &TII = *MI.getMF()->getSubtarget().getInstrInfo();
  auto [DefinitionCount, First] = TII.getPatchpointUnfoldableRange(MI);
  return !getFoldOperands(MI, Value).empty() &&
         all_of(MI.operands(), [&](const MachineOperand &Operand) {
           return !Operand.isReg() || Operand.getReg() != Value ||
                  (Operand.getOperandNo() >= First && !Operand.isTied());
         });
}

bool FoldTrial::canFold(const MachineInstr &MI, Register Value) {
  if (isRecord(MI))
    return canFoldIntoRecord(MI, Value);
  return findKey(MI, Value) && ask(MI, Value, nullptr);
}

bool FoldTrial::canLoad(const MachineInstr &MI, Register Value,
                        const MachineInstr &Load) {
  if (isRecord(MI)) {
    int Index;
    const TargetInstrInfo &TII = *Subtarget->getInstrInfo();
    return canFoldIntoRecord(MI, Value) && TII.isLoadFromStackSlot(Load, Index);
  }
  if (!findKey(MI, Value))
    return false;
  // What the instruction writes has a register.
  for (const MachineOperand &Operand : MI.all_defs())
    if (Operand.getReg() == Value)
      return false;
  addLoadToKey(Load);
  return ask(MI, Value, &Load);
}

/// Finds all that the answer may depend on, if the target can be asked.
bool FoldTrial::findKey(const MachineInstr &MI, Register Value) {
  if (MI.isBundled() || MI.isTerminator() || MI.isInlineAsm() ||
      MI.isTransient() || MI.isPosition() || MI.getOpcode() == 0 ||
      MI.getNumExplicitOperands() > MostOperands)
    return false;
  // Addresses may be folded or not, depending on their relocations.
  for (const MachineOperand &Operand : MI.operands())
    if (!Operand.isReg() && !Operand.isImm() && !Operand.isRegMask())
      return false;
  Operands = getFoldOperands(MI, Value);
  if (Operands.empty())
    return false;
  Key.clear();
  Key.push_back(MI.getOpcode());
  Key.push_back(MF->getRegInfo().getRegClass(Value)->getID());
  for (unsigned Number : Operands) {
    Key.push_back(Number);
    Key.push_back(MI.getOperand(Number).getSubReg());
  }
  // Whether the operands of a comparison can change places depends on which
  // comparison it is.
  if (MI.isCommutable())
    for (const MachineOperand &Operand : MI.explicit_operands())
      if (Operand.isImm())
        Key.push_back(Operand.getImm());
  return true;
}

/// Targets look at relocations, at registers of the address and at alignments;
/// where in memory it is does not matter to them.
void FoldTrial::addLoadToKey(const MachineInstr &Load) {
  const MachineFrameInfo &Frame = MF->getFrameInfo();
  Key.push_back(-1);
  Key.push_back(Load.getOpcode());
  Key.push_back(Load.hasOneMemOperand()
                    ? (*Load.memoperands_begin())->getAlign().value()
                    : 0);
  for (const MachineOperand &Operand : drop_begin(Load.operands())) {
    Key.push_back(Operand.getType());
    Key.push_back(Operand.getTargetFlags());
    if (Operand.isReg())
      Key.push_back(Operand.getReg().id());
    if (Operand.isFI()) {
      Key.push_back(Frame.getObjectSize(Operand.getIndex()));
      Key.push_back(Frame.getObjectAlign(Operand.getIndex()).value());
    }
  }
}

bool FoldTrial::ask(const MachineInstr &MI, Register Value,
                    const MachineInstr *Load) {
  StringRef Bytes(reinterpret_cast<const char *>(Key.data()),
                  Key.size() * sizeof(Key[0]));
  auto [Found, IsNew] = Known.try_emplace(Bytes, false);
  if (IsNew)
    Found->second = attempt(MI, Value, Load);
  return Found->second;
}

namespace {
/// Copies instructions to the end of a function that is there for a trial.
class Copier {
public:
  Copier(const MachineFunction &MF, MachineFunction &Trial,
         MachineBasicBlock &Block)
      : MF(MF), Trial(Trial), Block(Block) {}

  MachineInstr &copy(const MachineInstr &MI) {
    MachineInstr &Copy = *Trial.CreateMachineInstr(MI.getDesc(), DebugLoc(),
                                                   /*NoImplicit=*/true);
    Block.push_back(&Copy);
    for (const MachineOperand &Operand : MI.operands())
      Copy.addOperand(Trial, Operand.isReg()  ? copyRegister(Operand)
                             : Operand.isFI() ? copyObject(Operand)
                                              : Operand);
    return Copy;
  }

private:
  MachineOperand copyRegister(const MachineOperand &Operand) {
    Register Reg = Operand.getReg();
    if (Reg.isVirtual()) {
      Register &Name = Names[Reg];
      if (!Name)
        Name = Trial.getRegInfo().createVirtualRegister(
            MF.getRegInfo().getRegClassOrNull(Reg));
      Reg = Name;
    }
    return MachineOperand::CreateReg(
        Reg, Operand.isDef(), Operand.isImplicit(), /*isKill=*/false,
        Operand.isDef() && Operand.isDead(), Operand.isUndef(),
        Operand.isEarlyClobber(), Operand.getSubReg());
  }

  MachineOperand copyObject(const MachineOperand &Operand) {
    const MachineFrameInfo &Frame = MF.getFrameInfo();
    int Index = Operand.getIndex();
    return MachineOperand::CreateFI(Trial.getFrameInfo().CreateStackObject(
        Frame.getObjectSize(Index), Frame.getObjectAlign(Index),
        /*isSpillSlot=*/false));
  }

  const MachineFunction &MF;
  MachineFunction &Trial;
  MachineBasicBlock &Block;
  SmallDenseMap<Register, Register, 8> Names;
};
} // namespace

/// Targets insert what they fold, narrow the classes of registers and look at
/// the frame: nothing of that may be seen in the function itself.
bool FoldTrial::attempt(const MachineInstr &MI, Register Value,
                        const MachineInstr *Load) const {
  MachineFunction Trial(MF->getFunction(), MF->getTarget(), *Subtarget,
                        MF->getContext(), MF->getFunctionNumber());
  Trial.initTargetMachineFunctionInfo(*Subtarget);
  MachineRegisterInfo &MRI = Trial.getRegInfo();
  MRI.leaveSSA();
  MRI.freezeReservedRegs();
  MachineBasicBlock *Block = Trial.CreateMachineBasicBlock();
  Trial.push_back(Block);

  const TargetInstrInfo &TII = *Subtarget->getInstrInfo();
  Copier Copies(*MF, Trial, *Block);
  if (Load) {
    MachineInstr &LoadCopy = Copies.copy(*Load);
    LoadCopy.setMemRefs(Trial, Load->memoperands());
    return TII.foldMemoryOperand(Copies.copy(MI), Operands, LoadCopy);
  }
  const TargetRegisterInfo &TRI = *Subtarget->getRegisterInfo();
  const TargetRegisterClass &RC = *MF->getRegInfo().getRegClass(Value);
  int Slot = Trial.getFrameInfo().CreateSpillStackObject(TRI.getSpillSize(RC),
                                                         TRI.getSpillAlign(RC));
  return TII.foldMemoryOperand(Copies.copy(MI), Operands, Slot);
}
