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
#include "llvm/CodeGen/MachineFunction.h"

using namespace llvm;
using namespace warpalloc;

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
  if (!Outcome->order_count)
    return;
  reorder(MF, Tables, ArrayRef(Outcome->order, Outcome->order_count),
          Intervals);
  Tables.build(MF, Known);
}
