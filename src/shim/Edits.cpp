//===- Edits.cpp - Carries out an edit list -------------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Edits.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineInstrBundle.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace warpalloc;

Register EditApplier::registerOf(unsigned Number) const {
  return Number < ownCount() ? Register::index2VirtReg(Number)
                             : Created[Number - ownCount()];
}

void EditApplier::createRegisters(const TargetRegisterClass *WithoutClass) {
  MachineRegisterInfo &MRI = MF.getRegInfo();
  for (const WarpallocCreated &Data :
       ArrayRef(Result.created, Result.created_count))
    Created.push_back(MRI.createVirtualRegister(
        Data.class_index == WARPALLOC_NONE
            ? WithoutClass
            : &Tables.registerClass(Data.class_index)));
}

void EditApplier::applyEdits() {
  // Where code after the current instruction goes: before what followed it.
  Iterator After;
  unsigned AfterInstruction = WARPALLOC_NONE;
  // Removed last, so that positions stay valid.
  SmallVector<MachineInstr *, 16> Copies, Definitions;
  SmallVector<std::pair<WarpallocEdit, Register>, 16> Folds;

  ArrayRef Rest(Result.edits, Result.edit_count);
  while (!Rest.empty()) {
    ArrayRef Together = Rest.take_front(Rest.front().lanes);
    Rest = Rest.drop_front(Together.size());
    const WarpallocEdit &Edit = Together.front();
    MachineInstr &MI = Tables.instruction(Edit.instruction);
    Anchor = &MI;
    Block = MI.getParent();
    switch (Edit.kind) {
    case WarpallocEditKind::Rename:
      rename(Tables.operand(Edit.a), registerOf(Edit.b));
      continue;
    case WarpallocEditKind::Fold:
    case WarpallocEditKind::FoldLoad:
      foldOnce(Folds, Edit);
      continue;
    case WarpallocEditKind::DeleteCopy:
      Copies.push_back(&MI);
      continue;
    case WarpallocEditKind::DeleteDefinition:
      Definitions.push_back(&MI);
      continue;
    default:
      break;
    }
    if (!Edit.after) {
      Iterator Before = MI;
      insert(Before, [&] { insertCode(Together, Before); });
      continue;
    }
    if (AfterInstruction != Edit.instruction) {
      AfterInstruction = Edit.instruction;
      After = std::next(Iterator(MI));
    }
    insert(After, [&] { insertCode(Together, After); });
  }
  for (MachineInstr *Copy : Copies)
    deleteCopy(*Copy);
  // Before the definitions go that they load as.
  MachineInstr *MI = nullptr;
  unsigned Last = WARPALLOC_NONE;
  for (const auto &[Fold, Value] : Folds) {
    // Another one of the same instruction goes to what has taken its place.
    if (Fold.instruction != Last)
      MI = &Tables.instruction(Fold.instruction);
    Last = Fold.instruction;
    if (Fold.kind == WarpallocEditKind::FoldLoad)
      MI = &foldLoad(*MI, Value, Tables.instruction(Fold.b));
    else
      MI = &fold(*MI, Value, Fold.b);
  }
  for (MachineInstr *Definition : Definitions)
    deleteDefinition(*Definition);
}

/// One edit stands for all operands of its instruction that name the value.
void EditApplier::foldOnce(
    SmallVectorImpl<std::pair<WarpallocEdit, Register>> &Folds,
    const WarpallocEdit &Edit) const {
  Register Value = Tables.operand(Edit.a).getReg();
  for (const auto &[Other, Folded] : reverse(Folds)) {
    if (Other.instruction != Edit.instruction)
      break;
    if (Folded == Value)
      return;
  }
  Folds.emplace_back(Edit, Value);
}

void EditApplier::insert(Iterator Where, function_ref<void()> Code) {
  bool AtStart = Where == Block->begin();
  Iterator Before = AtStart ? Where : std::prev(Where);
  Code();
  inserted(AtStart ? Block->begin() : std::next(Before), Where);
}

void EditApplier::insertCode(ArrayRef<WarpallocEdit> Edits, Iterator Where) {
  const WarpallocEdit &Edit = Edits.front();
  SmallVector<Register, 4> Values;
  for (const WarpallocEdit &Each : Edits)
    Values.push_back(registerOf(Each.a));
  Register A = Values.front();
  switch (Edit.kind) {
  case WarpallocEditKind::Store:
    store(Where, Values, Edit.b);
    break;
  case WarpallocEditKind::Reload:
    reload(Where, Values, Edit.b);
    break;
  case WarpallocEditKind::Widen:
    widen(Where, A, registerOf(Edit.b));
    break;
  case WarpallocEditKind::Narrow:
    narrow(Where, A, registerOf(Edit.b));
    break;
  case WarpallocEditKind::Move:
    move(Where, A, registerOf(Edit.b));
    break;
  case WarpallocEditKind::Rematerialise:
    rematerialise(Where, A, Tables.instruction(Edit.b), Edit.sources);
    break;
  default:
    llvm_unreachable("not an insertion");
  }
}

/// Puts a value into another register of its class.
void EditApplier::move(Iterator Where, Register To, Register From) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  BuildMI(*Block, Where, DebugLoc(), TII.get(TargetOpcode::COPY), To)
      .addReg(From);
}

/// Computes a value as an instruction of the function does, of these sources.
void EditApplier::rematerialise(Iterator Where, Register To,
                                const MachineInstr &From,
                                ArrayRef<uint32_t> Sources) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  TII.reMaterialize(*Block, Where, To, /*SubIdx=*/0, From);
  MachineInstr &Repeated = *std::prev(Where);
  Repeated.clearRegisterDeads(To);
  for (MachineOperand &Operand : Repeated.uses()) {
    if (Sources.empty() || Sources.front() == WARPALLOC_NONE)
      break;
    if (!Operand.isReg() || !Operand.getReg().isVirtual())
      continue;
    Operand.setReg(registerOf(Sources.front()));
    Operand.setIsKill(false);
    Sources = Sources.drop_front();
  }
}

void EditApplier::rename(MachineOperand &Operand, Register To) {
  Register From = Operand.getReg();
  Operand.setReg(To);
  if (Operand.isUse())
    Operand.setIsKill(false);
  // Reads inside the bundle are not exported: they follow their definition.
  MachineInstr &MI = *Operand.getParent();
  if (Operand.isDef() && MI.isBundled())
    for (MIBundleOperands Other(MI); Other.isValid(); ++Other)
      if (Other->isReg() && Other->isInternalRead() && Other->getReg() == From)
        Other->setReg(To);
  renamed(From, To);
}
