//===- GpuWaits.cpp - Registers in flight ---------------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuWaits.h"
#include "Allocation.h"
#include "GpuOrder.h"
#include "Remarks.h"
#include "Tables.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace warpalloc;

/// Debug information follows the value into the register that it is in first.
static void copyBehind(MachineOperand &Definition, MachineInstr &Wait,
                       LiveIntervals &Intervals) {
  MachineBasicBlock &Block = *Wait.getParent();
  MachineFunction &MF = *Block.getParent();
  MachineRegisterInfo &MRI = MF.getRegInfo();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  Register Late = Definition.getReg();
  Register Early = MRI.cloneVirtualRegister(Late);
  for (MachineOperand &Use : make_early_inc_range(MRI.use_operands(Late)))
    if (Use.isDebug())
      Use.setReg(Early);
  Definition.setReg(Early);
  MachineInstr *Copy =
      BuildMI(Block, std::next(Wait.getIterator()), Wait.getDebugLoc(),
              TII.get(TargetOpcode::COPY), Late)
          .addReg(Early);
  Intervals.InsertMachineInstrInMaps(*Copy);
  Intervals.removeInterval(Late);
  for (Register Value : {Early, Late})
    Intervals.createAndComputeVirtRegInterval(Value);
}

void warpalloc::moveBehindWaits(MachineFunction &MF, MachineCache &Machines,
                                FunctionTables &Tables, const Analyses &Known,
                                LiveIntervals &Intervals,
                                MachineBlockFrequencyInfo &Frequencies) {
  // What is wrong with the machine or the tables, the allocation reports.
  const WarpallocMachine *Machine = Machines.get(MF);
  if (!Machine)
    return;
  Result Outcome(warpalloc_order_behind_waits(Machine, &Tables.get()));
  if (Outcome->error)
    return;
  emitRemarks(MF, Tables, *Outcome, Frequencies);
  if (!Outcome->order_count && !Outcome->late_copy_count)
    return;
  if (Outcome->order_count)
    reorder(MF, Tables, ArrayRef(Outcome->order, Outcome->order_count),
            Intervals);
  for (const WarpallocLateCopy &Copy :
       ArrayRef(Outcome->late_copies, Outcome->late_copy_count))
    copyBehind(Tables.operand(Copy.definition), Tables.instruction(Copy.wait),
               Intervals);
  Tables.build(MF, Known);
}
