//===- GpuApply.cpp - Rewrites a PTX function -----------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuApply.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include <map>
#include <tuple>

using namespace llvm;
using namespace warpalloc;

void GpuApplier::apply() {
  undefineStaleDebugValues();
  createSlots();
  createRegisters(Target.class32());
  createWords();
  applyEdits();
  describeSpilledDebugValues();
  nameRegisters();
  rewriteOperands();
}

/// One stack object for slots side by side, or an address in shared memory.
void GpuApplier::createSlots() {
  SmallVector<Register, 3> Addresses;
  for (unsigned I = 0; I != Result.address_count; ++I)
    Addresses.push_back(
        MF.getRegInfo().createVirtualRegister(Target.class32()));
  if (Result.spill_space)
    Target.insertAssembly(MF.front(), MF.front().begin(), Result.spill_space,
                          Addresses, {});
  for (const WarpallocSlot &Slot : ArrayRef(Result.slots, Result.slot_count)) {
    if (Slot.address != WARPALLOC_NONE) {
      Slots.push_back({Slot.size, 0, Slot.offset, Addresses[Slot.address]});
    } else if (Slot.lanes) {
      int FrameIndex = MF.getFrameInfo().CreateSpillStackObject(
          Slot.size * Slot.lanes, Align(Slot.alignment));
      Slots.push_back({Slot.size, FrameIndex, 0, Register()});
    } else {
      const StackSlot &Last = Slots.back();
      Slots.push_back(
          {Slot.size, Last.FrameIndex, Last.Offset + Slot.size, Register()});
    }
  }
}

/// Predicates that a register holds: see WARPALLOC_LOCATION_BIT.
static constexpr unsigned BitsOfWord = 32;

/// The registers that hold spilled predicates, and one to take them out by.
void GpuApplier::createWords() {
  SmallVector<Register, 2> Words;
  for (unsigned I = 0; I != Result.location_count; ++I) {
    if (Result.locations[I].kind != WARPALLOC_LOCATION_BIT)
      continue;
    unsigned Word = Result.locations[I].index / BitsOfWord;
    while (Words.size() <= Word)
      Words.push_back(Target.loadZero(MF.front()));
    Bits[registerOf(I)] = {Words[Word], Result.locations[I].index % BitsOfWord};
  }
  if (!Words.empty())
    Scratch = MF.getRegInfo().createVirtualRegister(Target.class32());
}

void GpuApplier::store(Iterator Where, ArrayRef<Register> Values,
                       unsigned Slot) {
  Target.store(*Block, Where, Values, Slots[Slot]);
}

void GpuApplier::reload(Iterator Where, ArrayRef<Register> Values,
                        unsigned Slot) {
  Target.load(*Block, Where, Values, Slots[Slot]);
}

void GpuApplier::widen(Iterator Where, Register To, Register From) {
  auto Bit = Bits.find(To);
  if (Bit == Bits.end())
    Target.widen(*Block, Where, To, From);
  else
    Target.pack(*Block, Where, Bit->second, From);
}

void GpuApplier::narrow(Iterator Where, Register To, Register From) {
  auto Bit = Bits.find(From);
  if (Bit == Bits.end())
    Target.narrow(*Block, Where, To, From);
  else
    Target.unpack(*Block, Where, To, Bit->second, Scratch);
}

/// What had no reader may be stored now.
void GpuApplier::renamed(Register, Register To) {
  for (MachineOperand &Definition : MF.getRegInfo().def_operands(To))
    Definition.setIsDead(false);
}

void GpuApplier::deleteCopy(MachineInstr &Copy) { Copy.eraseFromParent(); }

void GpuApplier::deleteDefinition(MachineInstr &Definition) {
  Definition.eraseFromParent();
}

MachineInstr &GpuApplier::fold(MachineInstr &, Register, unsigned) {
  llvm_unreachable("no instruction of a GPU is exported as one that can");
}

MachineInstr &GpuApplier::foldLoad(MachineInstr &, Register, MachineInstr &) {
  llvm_unreachable("no instruction of a GPU is exported as one that can");
}

/// A DBG_VALUE behind the last use of its register is right as long as nothing
/// else is put there. Afterwards something else will be.
void GpuApplier::undefineStaleDebugValues() {
  const SlotIndexes &Indexes = *Intervals.getSlotIndexes();
  for (MachineBasicBlock &Block : MF)
    for (MachineInstr &MI : Block) {
      if (!MI.isDebugValue())
        continue;
      SlotIndex Here = Indexes.getIndexBefore(MI).getDeadSlot();
      for (const MachineOperand &Operand : MI.debug_operands())
        if (Operand.isReg() && Operand.getReg().isVirtual() &&
            !(Intervals.hasInterval(Operand.getReg()) &&
              Intervals.getInterval(Operand.getReg()).liveAt(Here))) {
          MI.setDebugValueUndef();
          break;
        }
    }
}

/// A value in memory is described by its place there.
void GpuApplier::describeSpilledDebugValues() {
  for (unsigned I = 0, E = ownCount(); I != E; ++I) {
    if (Result.locations[I].kind != WARPALLOC_LOCATION_SLOT)
      continue;
    Register Reg = Register::index2VirtReg(I);
    const StackSlot &Slot = Slots[Result.locations[I].index];
    bool IsHalf = Target.isHalf(MF.getRegInfo(), Reg, Slot);
    for (MachineInstr &MI :
         make_early_inc_range(MF.getRegInfo().use_instructions(Reg)))
      if (MI.isDebugValue()) {
        if (IsHalf || (Slot.Offset && MI.isDebugValueList())) {
          MI.setDebugValueUndef();
          continue;
        }
        updateDbgValueForSpill(MI, Slot.FrameIndex, Reg);
        if (Slot.Offset)
          MI.getDebugExpressionOp().setMetadata(DIExpression::prepend(
              MI.getDebugExpression(), DIExpression::ApplyOffset, Slot.Offset));
      }
  }
}

/// One new virtual register for each class and register of it, in that order:
/// the printer numbers them so. Uniform registers come behind the threads' own,
/// and those of matrix multiplications behind these.
void GpuApplier::nameRegisters() {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  std::map<std::tuple<unsigned, unsigned, unsigned>, Register> Names;
  auto KeyOf = [&](unsigned Number) {
    return std::make_tuple(MRI.getRegClass(registerOf(Number))->getID(),
                           Result.locations[Number].kind,
                           Result.locations[Number].index);
  };
  auto NeedsName = [&](unsigned Number) {
    unsigned Kind = Result.locations[Number].kind;
    bool IsRegister = Kind == WARPALLOC_LOCATION_REGISTER ||
                      Kind == WARPALLOC_LOCATION_UNIFORM ||
                      Kind == WARPALLOC_LOCATION_MULTIPLIED;
    return IsRegister && !MRI.reg_empty(registerOf(Number));
  };
  for (unsigned I = 0; I != Result.location_count; ++I)
    if (NeedsName(I))
      Names.try_emplace(KeyOf(I), registerOf(I));
  for (auto &[Key, Name] : Names)
    Name = MRI.createVirtualRegister(MRI.getRegClass(Name));
  for (unsigned I = 0; I != Result.location_count; ++I)
    if (NeedsName(I))
      NameOf[registerOf(I)] = Names[KeyOf(I)];
}

void GpuApplier::rewriteOperands() {
  for (MachineBasicBlock &Block : MF)
    for (MachineInstr &MI : Block.instrs())
      for (MachineOperand &Operand : MI.operands()) {
        if (!Operand.isReg() || !Operand.getReg().isVirtual())
          continue;
        if (Operand.isUse())
          Operand.setIsKill(false);
        auto Name = NameOf.find(Operand.getReg());
        if (Name != NameOf.end())
          Operand.setReg(Name->second);
        else if (MI.isDebugInstr())
          // Nothing but debug information names it any more.
          Operand.setReg(Register());
      }
}
