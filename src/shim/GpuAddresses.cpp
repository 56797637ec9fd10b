//===- GpuAddresses.cpp - Addresses that need no register -----------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuAddresses.h"
#include "Gpu.h"
#include "GpuUniform.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;
using namespace warpalloc;

bool warpalloc::eraseUnread(MachineInstr &Definition,
                            LiveIntervals &Intervals) {
  MachineRegisterInfo &MRI = Definition.getMF()->getRegInfo();
  Register Value = Definition.getOperand(0).getReg();
  if (!MRI.use_nodbg_empty(Value))
    return false;
  MRI.markUsesInDebugValueAsUndef(Value);
  Intervals.RemoveMachineInstrFromMaps(Definition);
  Definition.eraseFromParent();
  Intervals.removeInterval(Value);
  return true;
}

void warpalloc::foldGlobalAddresses(MachineFunction &MF,
                                    const GpuTarget &Target,
                                    LiveIntervals &Intervals) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  // If each is defined once, every path from the definition of the generic
  // address to a use of the global one passes the conversion: what is read
  // there is what was converted.
  auto IsSingle = [&](const MachineOperand &Operand) {
    return Operand.isReg() && Operand.getReg().isVirtual() &&
           !Operand.isUndef() && MRI.hasOneDef(Operand.getReg());
  };
  for (MachineBasicBlock &Block : MF)
    for (MachineInstr &MI : make_early_inc_range(Block)) {
      if (!Target.isConversionToGlobal(MI) || !IsSingle(MI.getOperand(0)) ||
          !IsSingle(MI.getOperand(1)))
        continue;
      Register Global = MI.getOperand(0).getReg();
      Register Generic = MI.getOperand(1).getReg();
      if (MRI.use_nodbg_empty(Global))
        continue;
      Intervals.RemoveMachineInstrFromMaps(MI);
      MI.eraseFromParent();
      MRI.replaceRegWith(Global, Generic);
      MRI.clearKillFlags(Generic);
      Intervals.removeInterval(Global);
      Intervals.removeInterval(Generic);
      Intervals.createAndComputeVirtRegInterval(Generic);
    }
}

/// The operand of a load that its offset is added to.
static MachineOperand &baseOf(MachineInstr &Load) {
  return Load.getOperand(Load.getNumExplicitOperands() - 2);
}

void warpalloc::foldParameterAddresses(MachineFunction &MF,
                                       const GpuTarget &Target,
                                       LiveIntervals &Intervals) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  SmallSetVector<Register, 8> Addresses;
  for (MachineBasicBlock &Block : MF)
    for (MachineInstr &MI : Block) {
      if (!GpuUniform::isConstantLoad(MI))
        continue;
      MachineOperand &Base = baseOf(MI);
      if (!Base.isReg() || !Base.getReg().isVirtual())
        continue;
      MachineInstr *Address = MRI.getUniqueVRegDef(Base.getReg());
      if (!Address || !Target.isSymbolAddress(*Address) ||
          !Address->getOperand(1).isSymbol())
        continue;
      Addresses.insert(Base.getReg());
      const MachineOperand &Symbol = Address->getOperand(1);
      Base.ChangeToES(Symbol.getSymbolName(), Symbol.getTargetFlags());
    }
  for (Register Address : Addresses) {
    if (eraseUnread(*MRI.getUniqueVRegDef(Address), Intervals))
      continue;
    MRI.clearKillFlags(Address);
    Intervals.shrinkToUses(&Intervals.getInterval(Address));
  }
}
