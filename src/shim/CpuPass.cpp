//===- CpuPass.cpp - The allocator for targets with registers -------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocation.h"
#include "CpuApply.h"
#include "Registration.h"
#include "Remarks.h"
#include "Tables.h"
#include "llvm/CodeGen/CalcSpillWeights.h"
#include "llvm/CodeGen/LiveDebugVariables.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/LiveRegMatrix.h"
#include "llvm/CodeGen/LiveStacks.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/CodeGen/VirtRegMap.h"

using namespace llvm;
using namespace warpalloc;

/// Rounds until the target's spill code needs no further registers.
static constexpr unsigned MaxRounds = 4;

namespace {

class CpuAllocator : public MachineFunctionPass {
public:
  static char ID;
  CpuAllocator() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "Warpalloc Register Allocator";
  }
  MachineFunctionProperties getRequiredProperties() const override {
    return MachineFunctionProperties().setNoPHIs();
  }
  MachineFunctionProperties getClearedProperties() const override {
    return MachineFunctionProperties().setIsSSA();
  }
  void getAnalysisUsage(AnalysisUsage &AU) const override;
  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  bool allocateRegisters(MachineFunction &MF);
  bool runRounds(MachineFunction &MF, CpuState &State);
  void abandon(MachineFunction &MF);
  void removeCode(MachineFunction &MF, LiveIntervals &Intervals);
  void defineOperands(MachineInstr &Terminator, LiveIntervals &Intervals);
  MCRegister anyRegister(const TargetRegisterClass &RC) const;

  MachineCache Machines;
  FunctionTables Tables;
  RegisterClassInfo Classes;
};

} // namespace

char CpuAllocator::ID = 0;

FunctionPass *warpalloc::createAllocator() { return new CpuAllocator(); }

template <typename Analysis> static void keep(AnalysisUsage &AU) {
  AU.addRequired<Analysis>();
  AU.addPreserved<Analysis>();
}

void CpuAllocator::getAnalysisUsage(AnalysisUsage &AU) const {
  AU.setPreservesCFG();
  // Before LiveDebugVariables.
  AU.addRequired<VariableNamesPass>();
  keep<SlotIndexesWrapperPass>(AU);
  keep<LiveIntervalsWrapperPass>(AU);
  keep<LiveDebugVariablesWrapperLegacy>(AU);
  keep<LiveStacksWrapperLegacy>(AU);
  keep<MachineBlockFrequencyInfoWrapperPass>(AU);
  keep<MachineDominatorTreeWrapperPass>(AU);
  keep<MachineLoopInfoWrapperPass>(AU);
  keep<VirtRegMapWrapperLegacy>(AU);
  keep<LiveRegMatrixWrapperLegacy>(AU);
  MachineFunctionPass::getAnalysisUsage(AU);
}

bool CpuAllocator::runOnMachineFunction(MachineFunction &MF) {
  // An IR function may come twice, and LLVM's own allocators freeze as well.
  MF.getRegInfo().freezeReservedRegs();
  Classes.runOnMachineFunction(MF);
  if (!allocateRegisters(MF))
    abandon(MF);
  return true;
}

/// Edits stand beside instructions. A block without any may be just where they
/// are wanted, at an exit of a loop: it gets one that does nothing.
static SmallVector<MachineInstr *> fillEmptyBlocks(MachineFunction &MF,
                                                   LiveIntervals &Intervals) {
  const MCInstrDesc &Nothing =
      MF.getSubtarget().getInstrInfo()->get(TargetOpcode::KILL);
  SmallVector<MachineInstr *> Filled;
  for (MachineBasicBlock &Block : MF) {
    if (Block.succ_empty() || Block.isEHPad() ||
        Block.getFirstNonDebugInstr() != Block.end())
      continue;
    Filled.push_back(BuildMI(Block, Block.begin(), DebugLoc(), Nothing));
    Intervals.InsertMachineInstrInMaps(*Filled.back());
  }
  return Filled;
}

bool CpuAllocator::allocateRegisters(MachineFunction &MF) {
  CpuState State = {getAnalysis<LiveIntervalsWrapperPass>().getLIS(),
                    getAnalysis<LiveStacksWrapperLegacy>().getLS(),
                    getAnalysis<VirtRegMapWrapperLegacy>().getVRM(),
                    getAnalysis<LiveRegMatrixWrapperLegacy>().getLRM(),
                    getAnalysis<LiveDebugVariablesWrapperLegacy>().getLDV()};
  SmallVector<MachineInstr *> Filled = fillEmptyBlocks(MF, State.Intervals);
  if (!runRounds(MF, State))
    return false;
  for (MachineInstr *MI : Filled) {
    State.Intervals.RemoveMachineInstrFromMaps(*MI);
    MI->eraseFromParent();
  }
  return true;
}

bool CpuAllocator::runRounds(MachineFunction &MF, CpuState &State) {
  auto &Frequencies =
      getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI();
  const auto &Loops = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  // Finds hints from copies, and intervals too short to gain by spilling.
  VirtRegAuxInfo(MF, State.Intervals, State.Map, Loops, Frequencies)
      .calculateSpillWeightsAndHints();

  DenseSet<Register> Unspillable;
  Analyses Known = {Frequencies, Loops,         &State.Intervals, &Classes,
                    &State.Map,  &State.Matrix, &Unspillable};
  bool WantsRemarks = wantsRemarks(MF);
  for (unsigned Round = 0; Round != MaxRounds; ++Round) {
    SourceTables Source(getAnalysis<VariableNamesPass>().get(),
                        /*IsAgain=*/Round > 0);
    Known.Source = WantsRemarks ? &Source : nullptr;
    Tables.build(MF, Known);
    Result Outcome = allocate(MF, Machines, Tables.get());
    if (!Outcome)
      return false;
    emitRemarks(MF, Tables, *Outcome, Frequencies);
    CpuApplier Applier(MF, Tables, *Outcome, State);
    if (!Applier.spill())
      return false;
    if (!Applier.needsAnotherRound())
      return Applier.assign();
    Unspillable.insert(Applier.created().begin(), Applier.created().end());
  }
  reportError(MF, "the target's spill code needs ever more registers");
  return false;
}

/// What a terminator reads is defined right before the block's terminators, and
/// is a physical register from now on.
void CpuAllocator::defineOperands(MachineInstr &Terminator,
                                  LiveIntervals &Intervals) {
  MachineBasicBlock &Block = *Terminator.getParent();
  MachineRegisterInfo &MRI = Block.getParent()->getRegInfo();
  const TargetSubtargetInfo &Subtarget = Block.getParent()->getSubtarget();
  for (MachineOperand &Operand : Terminator.operands()) {
    if (!Operand.isReg() || !Operand.getReg() || !Operand.isUse())
      continue;
    if (Operand.getReg().isVirtual())
      Operand.substPhysReg(anyRegister(*MRI.getRegClass(Operand.getReg())),
                           *Subtarget.getRegisterInfo());
    Operand.setIsKill(false);
    if (MRI.isReserved(Operand.getReg()))
      continue;
    Intervals.InsertMachineInstrInMaps(
        *BuildMI(Block, Block.getFirstTerminator(), DebugLoc(),
                 Subtarget.getInstrInfo()->get(TargetOpcode::IMPLICIT_DEF),
                 Operand.getReg()));
  }
}

/// Leaves the blocks and the edges between them, but no code that computes.
void CpuAllocator::removeCode(MachineFunction &MF, LiveIntervals &Intervals) {
  for (MachineBasicBlock &Block : MF) {
    if (&Block != &MF.front() && !Block.isEHPad())
      Block.clearLiveIns();
    for (MachineInstr &MI : make_early_inc_range(Block)) {
      if (MI.isDebugOrPseudoInstr() || MI.isPosition())
        continue;
      if (MI.isTerminator(MachineInstr::AnyInBundle)) {
        defineOperands(MI, Intervals);
        continue;
      }
      if (MI.shouldUpdateAdditionalCallInfo())
        MF.eraseAdditionalCallInfo(&MI);
      Intervals.RemoveMachineInstrFromMaps(MI);
      MI.eraseFromParent();
    }
  }
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  for (MCRegUnit Unit : TRI.regunits())
    Intervals.removeRegUnit(Unit);
}

MCRegister CpuAllocator::anyRegister(const TargetRegisterClass &RC) const {
  ArrayRef<MCPhysReg> Order = Classes.getOrder(&RC);
  return Order.empty() ? *RC.begin() : Order.front();
}

/// After an error: something that the remaining passes can walk over. It is
/// never written.
void CpuAllocator::abandon(MachineFunction &MF) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  VirtRegMap &Map = getAnalysis<VirtRegMapWrapperLegacy>().getVRM();
  LiveIntervals &Intervals = getAnalysis<LiveIntervalsWrapperPass>().getLIS();
  LiveRegMatrix &Matrix = getAnalysis<LiveRegMatrixWrapperLegacy>().getLRM();
  Map.grow();
  for (unsigned I = 0, E = MRI.getNumVirtRegs(); I != E; ++I) {
    Register Reg = Register::index2VirtReg(I);
    if (Map.hasPhys(Reg))
      Matrix.unassign(Intervals.getInterval(Reg));
    // Registers that were to get an interval have none yet.
    if (Intervals.hasInterval(Reg))
      Intervals.removeInterval(Reg);
  }
  removeCode(MF, Intervals);
  for (unsigned I = 0, E = MRI.getNumVirtRegs(); I != E; ++I) {
    Register Reg = Register::index2VirtReg(I);
    if (MRI.reg_nodbg_empty(Reg))
      continue;
    Intervals.createAndComputeVirtRegInterval(Reg);
    Map.assignVirt2Phys(Reg, anyRegister(*MRI.getRegClass(Reg)));
  }
}
