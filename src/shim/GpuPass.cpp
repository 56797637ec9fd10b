//===- GpuPass.cpp - The allocator for NVPTX ------------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocation.h"
#include "Gpu.h"
#include "GpuApply.h"
#include "Registration.h"
#include "Tables.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

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
    AU.addRequired<LiveIntervalsWrapperPass>();
    AU.addRequired<MachineBlockFrequencyInfoWrapperPass>();
    AU.addRequired<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  MachineCache Machines;
  FunctionTables Tables;
};

/// A frame index always becomes the generic address of the frame. Spill code
/// accesses the local space and needs the local one.
class GpuFrameFixup : public MachineFunctionPass {
public:
  static char ID;
  GpuFrameFixup() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "Warpalloc Local Frame Addresses";
  }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
};

} // namespace

char GpuAllocator::ID = 0;
char GpuFrameFixup::ID = 0;

FunctionPass *warpalloc::createGpuAllocator() { return new GpuAllocator(); }
FunctionPass *warpalloc::createGpuFrameFixup() { return new GpuFrameFixup(); }

bool GpuAllocator::runOnMachineFunction(MachineFunction &MF) {
  GpuTarget Target(MF);
  if (!Target.missing().empty()) {
    reportError(MF,
                "this LLVM's NVPTX back end has no '" + Target.missing() + "'");
    return false;
  }
  Analyses Known = {
      getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI(),
      getAnalysis<MachineLoopInfoWrapperPass>().getLI()};
  Tables.build(MF, Known);
  Result Outcome = allocate(MF, Machines, Tables.get());
  // On an error the code stays as it is: PTX without limits is valid.
  if (!Outcome)
    return false;
  GpuApplier(MF, Tables, *Outcome, Target,
             getAnalysis<LiveIntervalsWrapperPass>().getLIS())
      .apply();
  return true;
}

bool GpuFrameFixup::runOnMachineFunction(MachineFunction &MF) {
  GpuTarget Target(MF);
  bool Changed = false;
  for (MachineBasicBlock &Block : MF)
    for (MachineInstr &MI : Block) {
      auto Access = Target.getLocalAccess(MI);
      if (!Access || !MI.getOperand(Access->Base).isReg())
        continue;
      MachineOperand &Base = MI.getOperand(Access->Base);
      if (MCRegister Local = Target.localFrameRegister(Base.getReg())) {
        Base.setReg(Local);
        Changed = true;
      }
    }
  return Changed;
}
