//===- GpuPass.cpp - The allocator for NVPTX ------------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocation.h"
#include "FunctionAttributes.h"
#include "Gpu.h"
#include "GpuAddresses.h"
#include "GpuApply.h"
#include "GpuAssembly.h"
#include "GpuCalls.h"
#include "GpuOrder.h"
#include "GpuText.h"
#include "GpuUniform.h"
#include "GpuWaits.h"
#include "Registration.h"
#include "Remarks.h"
#include "Tables.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/Function.h"

using namespace llvm;
using namespace warpalloc;

namespace {

class GpuAllocator : public MachineFunctionPass {
public:
  static char ID;
  GpuAllocator() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "Warpalloc Register Allocator";
  }
  MachineFunctionProperties getRequiredProperties() const override {
    return MachineFunctionProperties().setNoPHIs();
  }
  MachineFunctionProperties getClearedProperties() const override {
    return MachineFunctionProperties().setIsSSA();
  }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    AU.addRequired<AAResultsWrapperPass>();
    AU.addRequired<LiveIntervalsWrapperPass>();
    AU.addRequired<MachineBlockFrequencyInfoWrapperPass>();
    AU.addRequired<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
  bool doFinalization(Module &) override {
    // The next module may have the same address.
    Calls.clear();
    warpalloc_module_end(OfModule.get());
    return false;
  }

private:
  GpuTargetCache Targets;
  GpuUniform Uniform;
  GpuText Text;
  GpuCalls Calls;
  MachineCache Machines;
  ModuleHandle OfModule{warpalloc_module_new()};
  FunctionTables Tables;
  FunctionAttributes Attributes;
};

} // namespace

char GpuAllocator::ID = 0;

FunctionPass *warpalloc::createGpuAllocator() { return new GpuAllocator(); }

bool GpuAllocator::runOnMachineFunction(MachineFunction &MF) {
  Attributes.read(MF.getFunction());
  if (warpalloc_is_stock(Attributes.data(), Attributes.size()))
    return false;
  const GpuTarget &Target = Targets.get(MF);
  if (!Target.missing().empty()) {
    reportError(MF,
                "this LLVM's NVPTX back end has no '" + Target.missing() + "'");
    return false;
  }
  LiveIntervals &Intervals = getAnalysis<LiveIntervalsWrapperPass>().getLIS();
  foldLocalAddresses(MF, Target, Intervals);
  foldGlobalAddresses(MF, Target, Intervals);
  foldParameterAddresses(MF, Target, Intervals);
  PassedThrough Passed = shortenAssembly(MF, Intervals);
  MachineBlockFrequencyInfo &Frequencies =
      getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI();
  Analyses Known = {Frequencies,
                    getAnalysis<MachineLoopInfoWrapperPass>().getLI()};
  Known.Uniform = &Uniform;
  Known.Text = &Text;
  Calls.read(MF.getFunction());
  Known.Calls = &Calls;
  GpuOrder Order(MF, Known.Loops,
                 getAnalysis<AAResultsWrapperPass>().getAAResults(), Passed,
                 Text);
  Known.Order = &Order;
  VariableNames Names;
  SourceTables Source(Names, /*IsAgain=*/false);
  if (wantsRemarks(MF)) {
    Names.find(MF);
    Known.Source = &Source;
  }
  Tables.build(MF, Known);
  moveBehindWaits(MF, Machines, Tables, Known, Intervals, Frequencies);
  Result Outcome = allocate(MF, Machines, Tables.get(), OfModule.get());
  // On an error the code stays as it is: PTX without limits is valid.
  if (!Outcome)
    return true;
  if (Outcome->order_count) {
    reorder(MF, Tables, ArrayRef(Outcome->order, Outcome->order_count),
            Intervals);
    Known.Order = nullptr;
    Known.Source = nullptr;
    Tables.build(MF, Known);
  }
  emitRemarks(MF, Tables, *Outcome, Frequencies);
  if (Outcome->max_registers)
    MF.getFunction().addFnAttr("nvvm.maxnreg", utostr(Outcome->max_registers));
  if (Outcome->is_left)
    return true;
  GpuApplier(MF, Tables, *Outcome, Target, Intervals).apply();
  return true;
}
