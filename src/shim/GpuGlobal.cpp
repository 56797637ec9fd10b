//===- GpuGlobal.cpp - Addresses of global memory -------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuGlobal.h"
#include "Gpu.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;
using namespace warpalloc;

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
