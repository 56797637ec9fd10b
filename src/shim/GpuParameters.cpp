//===- GpuParameters.cpp - Addresses of parameters ------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuParameters.h"
#include "Gpu.h"
#include "GpuUniform.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;
using namespace warpalloc;

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
    MachineInstr &Definition = *MRI.getUniqueVRegDef(Address);
    if (MRI.use_nodbg_empty(Address)) {
      MRI.markUsesInDebugValueAsUndef(Address);
      Intervals.RemoveMachineInstrFromMaps(Definition);
      Definition.eraseFromParent();
      Intervals.removeInterval(Address);
    } else {
      MRI.clearKillFlags(Address);
      Intervals.shrinkToUses(&Intervals.getInterval(Address));
    }
  }
}
