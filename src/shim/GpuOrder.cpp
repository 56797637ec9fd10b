//===- GpuOrder.cpp - The order of instructions ---------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuOrder.h"
#include "GpuText.h"
#include "Tables.h"
#include "warpalloc_abi.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;
using namespace warpalloc;

/// A call takes part in a sequence of instructions that declare and fill its
/// parameters; LLVM does not say which these are.
bool GpuOrder::mayMove(const MachineBasicBlock &Block) const {
  return llvm::none_of(Block, [&](const MachineInstr &MI) {
    return MI.isCall() || MI.isBundle() || TII->isFrameInstr(MI) ||
           (!MI.isTerminator() && !MI.isDebugOrPseudoInstr() &&
            TII->isSchedulingBoundary(MI, &Block, MF));
  });
}

/// LLVM has no names for these opcodes. Assembly may be more than the shuffle.
bool GpuOrder::isShuffle(const MachineInstr &MI) const {
  if (!MI.isConvergent() || MI.isInlineAsm())
    return false;
  const char *Printed = Text.get(MI);
  return Printed && StringRef(Printed).ltrim().starts_with("shfl.sync.");
}

/// Conversions of addresses, loads of what nobody writes while the kernel runs,
/// and shuffles, which access no memory. LLVM's tables say that they have side
/// effects.
bool GpuOrder::isPure(const MachineInstr &MI) const {
  StringRef Name = TII->getName(MI.getOpcode());
  return Name.starts_with("cvta_") || Name.starts_with("LD_GLOBAL_NC_") ||
         isShuffle(MI);
}

/// Assembly that ptxas moves as any other computation, whatever it is marked
/// as.
bool GpuOrder::isComputation(const MachineInstr &MI) {
  if (MI.getOpcode() != TargetOpcode::INLINEASM || MI.mayLoadOrStore() ||
      Passed.contains(&MI))
    return false;
  const char *Assembly =
      MI.getOperand(InlineAsm::MIOp_AsmString).getSymbolName();
  auto [Entry, IsNew] = Computes.try_emplace(Assembly);
  if (IsNew)
    Entry->second = warpalloc_assembly_computes(Assembly);
  return Entry->second;
}

/// A shuffle stays between the convergent instructions around it that are none.
void GpuOrder::findConvergent(const MachineBasicBlock &Block, bool IsFixed,
                              Report Add) {
  const MachineInstr *Last = nullptr;
  SmallVector<const MachineInstr *> Shuffles;
  for (const MachineInstr &MI :
       make_range(Block.begin(), Block.getFirstTerminator())) {
    if (MI.isDebugOrPseudoInstr() ||
        !(IsFixed || (MI.isConvergent() && !isComputation(MI))))
      continue;
    if (Last)
      Add(*Last, MI);
    if (!IsFixed && isShuffle(MI)) {
      Shuffles.push_back(&MI);
      continue;
    }
    for (const MachineInstr *Shuffle : Shuffles)
      Add(*Shuffle, MI);
    Shuffles.clear();
    Last = &MI;
  }
}

/// What accesses a value stays on its side of assembly that it passes through.
void GpuOrder::findPassedThrough(const MachineBasicBlock &Block,
                                 Report Add) const {
  DenseMap<Register, SmallVector<const MachineInstr *>> Since;
  for (const MachineInstr &MI : Block)
    if (auto Found = Passed.find(&MI); Found != Passed.end())
      for (Register Value : Found->second)
        Since[Value];
  if (Since.empty())
    return;
  DenseMap<Register, const MachineInstr *> Last;
  for (const MachineInstr &MI :
       make_range(Block.begin(), Block.getFirstTerminator())) {
    if (auto Found = Passed.find(&MI); Found != Passed.end())
      for (Register Value : Found->second) {
        for (const MachineInstr *Access : Since[Value])
          if (Access != &MI)
            Add(*Access, MI);
        Since[Value].assign(1, &MI);
        Last[Value] = &MI;
      }
    if (MI.isDebugOrPseudoInstr())
      continue;
    for (const MachineOperand &Operand : MI.operands()) {
      auto Found = Operand.isReg() ? Since.find(Operand.getReg()) : Since.end();
      if (Found == Since.end())
        continue;
      const MachineInstr *Place = Last.lookup(Operand.getReg());
      if (Place && Place != &MI)
        Add(*Place, MI);
      Found->second.push_back(&MI);
    }
  }
}

void GpuOrder::find(MachineBasicBlock &Block, Report Add) {
  MachineBasicBlock::iterator End = Block.getFirstTerminator();
  bool IsFixed = !mayMove(Block);
  findConvergent(Block, IsFixed, Add);
  if (IsFixed)
    return;
  findPassedThrough(Block, Add);
  // LLVM is told as long as it looks.
  SmallVector<MachineOperand *> Marked;
  for (MachineInstr &MI : Block)
    if (MI.isInlineAsm() && MI.hasUnmodeledSideEffects() && isComputation(MI))
      Marked.push_back(&MI.getOperand(InlineAsm::MIOp_ExtraInfo));
  auto Flip = [&] {
    for (MachineOperand *Info : Marked)
      Info->setImm(Info->getImm() ^ InlineAsm::Extra_HasSideEffects);
  };
  Flip();
  startBlock(&Block);
  enterRegion(&Block, Block.begin(), End, std::distance(Block.begin(), End));
  buildSchedGraph(&Aliases);
  Flip();
  // What stands before a pure instruction stands before what comes behind it.
  std::vector<SmallSetVector<const SUnit *, 4>> Earlier(SUnits.size());
  for (const SUnit &Unit : SUnits) {
    auto &Found = Earlier[Unit.NodeNum];
    for (const SDep &Before : Unit.Preds) {
      const SUnit *Other = Before.getSUnit();
      if (Before.getKind() != SDep::Order || Other->isBoundaryNode())
        continue;
      if (isPure(*Other->getInstr()))
        Found.insert_range(Earlier[Other->NodeNum]);
      else
        Found.insert(Other);
    }
    if (!isPure(*Unit.getInstr()))
      for (const SUnit *Other : Found)
        Add(*Other->getInstr(), *Unit.getInstr());
  }
  exitRegion();
  finishBlock();
}

/// The first instruction that is none of debug information.
static MachineBasicBlock::iterator skipDebug(MachineBasicBlock::iterator I,
                                             const MachineBasicBlock &Block) {
  while (I != Block.end() && I->isDebugOrPseudoInstr())
    ++I;
  return I;
}

/// Instructions only move up, so that a DBG_VALUE stays behind its definition.
void warpalloc::reorder(MachineFunction &MF, const FunctionTables &Tables,
                        ArrayRef<uint32_t> Order, LiveIntervals &Intervals) {
  const uint32_t *Place = Order.begin();
  for (MachineBasicBlock &Block : MF) {
    for (auto Next = skipDebug(Block.begin(), Block); Next != Block.end();) {
      MachineInstr &MI = Tables.instruction(*Place++);
      if (&*Next == &MI) {
        Next = skipDebug(std::next(Next), Block);
        continue;
      }
      Block.splice(Next, &Block, MI.getIterator());
      Intervals.handleMove(MI);
    }
  }
}
