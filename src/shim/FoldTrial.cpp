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

bool FoldTrial::canFold(const MachineInstr &MI, Register Value) {
  if (MI.isBundled() || MI.isTerminator() || MI.isInlineAsm() ||
      MI.isTransient() || MI.isPosition() || MI.getOpcode() == 0 ||
      MI.getNumExplicitOperands() > MostOperands)
    return false;
  // Addresses may be folded or not, depending on their relocations.
  for (const MachineOperand &Operand : MI.operands())
    if (!Operand.isReg() && !Operand.isImm() && !Operand.isRegMask())
      return false;
  SmallVector<unsigned, 2> Operands = getFoldOperands(MI, Value);
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
  StringRef Bytes(reinterpret_cast<const char *>(Key.data()),
                  Key.size() * sizeof(Key[0]));
  auto [Found, IsNew] = Known.try_emplace(Bytes, false);
  if (IsNew)
    Found->second = attempt(MI, Value, Operands);
  return Found->second;
}

/// Targets insert what they fold, narrow the classes of registers and look at
/// the frame: nothing of that may be seen in the function itself.
bool FoldTrial::attempt(const MachineInstr &MI, Register Value,
                        ArrayRef<unsigned> Operands) const {
  MachineFunction Trial(MF->getFunction(), MF->getTarget(), *Subtarget,
                        MF->getContext(), MF->getFunctionNumber());
  Trial.initTargetMachineFunctionInfo(*Subtarget);
  MachineRegisterInfo &MRI = Trial.getRegInfo();
  MRI.leaveSSA();
  MRI.freezeReservedRegs();
  MachineBasicBlock *Block = Trial.CreateMachineBasicBlock();
  Trial.push_back(Block);
  MachineInstr *Copy =
      Trial.CreateMachineInstr(MI.getDesc(), DebugLoc(), /*NoImplicit=*/true);
  Block->push_back(Copy);

  SmallDenseMap<Register, Register, 8> Names;
  for (const MachineOperand &Operand : MI.operands()) {
    if (!Operand.isReg()) {
      // Without registers there is nothing that would tie it to its function.
      Copy->addOperand(Trial, Operand);
      continue;
    }
    Register Reg = Operand.getReg();
    if (Reg.isVirtual()) {
      Register &Name = Names[Reg];
      if (!Name)
        Name =
            MRI.createVirtualRegister(MF->getRegInfo().getRegClassOrNull(Reg));
      Reg = Name;
    }
    Copy->addOperand(Trial,
                     MachineOperand::CreateReg(
                         Reg, Operand.isDef(), Operand.isImplicit(),
                         /*isKill=*/false, Operand.isDef() && Operand.isDead(),
                         Operand.isUndef(), Operand.isEarlyClobber(),
                         Operand.getSubReg()));
  }
  const TargetRegisterInfo &TRI = *Subtarget->getRegisterInfo();
  const TargetRegisterClass &RC = *MF->getRegInfo().getRegClass(Value);
  int Slot = Trial.getFrameInfo().CreateSpillStackObject(TRI.getSpillSize(RC),
                                                         TRI.getSpillAlign(RC));
  return Subtarget->getInstrInfo()->foldMemoryOperand(*Copy, Operands, Slot);
}
