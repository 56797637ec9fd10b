//===- GpuFrame.cpp - Addresses of the local frame ------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A frame index always becomes the generic address of the frame. Spill code,
// and what `foldLocalAddresses` leaves, mean the local one. ptxas folds no
// offset into an access of code that is to be debugged; there a sum of 64 bits
// would be an instruction more for each of them. The local space needs 32 bits
// only.
//
//===----------------------------------------------------------------------===//

#include "Gpu.h"
#include "GpuAddresses.h"
#include "Registration.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace warpalloc;

/// Marks an address that is to be a local one, until the frame is laid out. The
/// flag has no other meaning for this target.
static constexpr MachineInstr::MIFlag LocalAddress = MachineInstr::LRSplit;

void warpalloc::foldLocalAddresses(MachineFunction &MF, const GpuTarget &Target,
                                   LiveIntervals &Intervals) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  for (MachineBasicBlock &Block : MF)
    for (MachineInstr &MI : make_early_inc_range(Block)) {
      if (!Target.isConversionToLocal(MI) || !MI.getOperand(1).isReg())
        continue;
      Register Generic = MI.getOperand(1).getReg();
      MachineInstr *Address =
          Generic.isVirtual() ? MRI.getUniqueVRegDef(Generic) : nullptr;
      if (!Address || !Target.isAddress(*Address) ||
          !Address->getOperand(1).isFI())
        continue;
      MachineInstr *Local = MF.CloneMachineInstr(Address);
      Local->getOperand(0).setReg(MI.getOperand(0).getReg());
      Local->getOperand(0).setIsDead(MI.getOperand(0).isDead());
      Local->setDebugLoc(MI.getDebugLoc());
      Local->setFlag(LocalAddress);
      Block.insert(MI.getIterator(), Local);
      Intervals.ReplaceMachineInstrInMaps(MI, *Local);
      MI.eraseFromParent();
      eraseUnread(*Address, Intervals);
    }
}

namespace {

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

private:
  GpuTargetCache Targets;
};

} // namespace

char GpuFrameFixup::ID = 0;

/// Whether the PTX will say that it is to be debugged. ptxas hardly optimizes
/// it then.
static bool isForDebugger(const Module &M) {
  return any_of(M.debug_compile_units(), [](const DICompileUnit *Unit) {
    return Unit->getEmissionKind() == DICompileUnit::FullDebug ||
           Unit->getEmissionKind() == DICompileUnit::LineTablesOnly;
  });
}

FunctionPass *warpalloc::createGpuFrameFixup() { return new GpuFrameFixup(); }

bool GpuFrameFixup::runOnMachineFunction(MachineFunction &MF) {
  const GpuTarget &Target = Targets.get(MF);
  bool Changed = false;
  bool TakesNarrow = isForDebugger(*MF.getFunction().getParent());
  Register Narrow;
  for (MachineBasicBlock &Block : MF)
    for (MachineInstr &MI : Block) {
      auto Access = Target.getLocalAccess(MI);
      if (!Access && !(Target.isAddress(MI) && MI.getFlag(LocalAddress)))
        continue;
      MI.clearFlag(LocalAddress);
      MachineOperand &Operand = MI.getOperand(Access ? Access->Base : 1);
      if (!Operand.isReg())
        continue;
      MCRegister Local = Target.localFrameRegister(Operand.getReg());
      if (!Local)
        continue;
      Register Address = Local;
      if (Access && TakesNarrow) {
        if (!Narrow)
          Narrow = Target.loadFrameAddress(MF.front());
        Address = Narrow;
      }
      Operand.setReg(Address);
      Changed = true;
    }
  return Changed;
}
