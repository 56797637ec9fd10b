//===- Source.cpp - Lines and variables of the source ---------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Source.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace warpalloc;

/// Whether a register that the expression is about holds the variable, or a
/// part of it, and not something that it can be computed from.
static bool isValue(const DIExpression &Expression) {
  return llvm::all_of(Expression.expr_ops(), [](const auto &Op) {
    return Op.getOp() == dwarf::DW_OP_stack_value ||
           Op.getOp() == dwarf::DW_OP_LLVM_fragment ||
           (Op.getOp() == dwarf::DW_OP_LLVM_arg && Op.getArg(0) == 0);
  });
}

/// The first variable that a register holds names it.
void VariableNames::add(Register Reg, const MachineInstr &MI) {
  if (Reg.isVirtual())
    Known.try_emplace(Reg, MI.getDebugVariable(), MI.getDebugExpression());
}

void VariableNames::find(const MachineFunction &MF) {
  clear();
  // What a DBG_INSTR_REF means: an operand of a numbered instruction, perhaps
  // one that replaced another.
  using Definition = MachineFunction::DebugInstrOperandPair;
  DenseMap<unsigned, const MachineInstr *> Numbered;
  DenseMap<Definition, Definition> Replaced;
  if (MF.useDebugInstrRef()) {
    for (const MachineBasicBlock &Block : MF)
      for (const MachineInstr &MI : Block)
        if (unsigned Number = MI.peekDebugInstrNum())
          Numbered[Number] = &MI;
    for (const auto &One : MF.DebugValueSubstitutions)
      if (!One.Subreg)
        Replaced[One.Src] = One.Dest;
  }
  auto Resolve = [&](Definition Where) {
    for (unsigned Left = Replaced.size(); Left && Replaced.contains(Where);
         --Left)
      Where = Replaced[Where];
    auto Phi = MF.DebugPHIPositions.find(Where.first);
    if (Phi != MF.DebugPHIPositions.end())
      return Phi->second.SubReg ? Register() : Phi->second.Reg;
    const MachineInstr *MI = Numbered.lookup(Where.first);
    if (!MI || Where.second >= MI->getNumOperands())
      return Register();
    const MachineOperand &Operand = MI->getOperand(Where.second);
    return Operand.isReg() && !Operand.getSubReg() ? Operand.getReg()
                                                   : Register();
  };
  for (const MachineBasicBlock &Block : MF)
    for (const MachineInstr &MI : Block) {
      if (!MI.isDebugValueLike() || MI.isIndirectDebugValue() ||
          range_size(MI.debug_operands()) != 1 ||
          !isValue(*MI.getDebugExpression()))
        continue;
      const MachineOperand &Operand = *MI.debug_operands().begin();
      if (Operand.isReg() && !Operand.getSubReg())
        add(Operand.getReg(), MI);
      else if (Operand.isDbgInstrRef())
        add(Resolve({Operand.getInstrRefInstrIndex(),
                     Operand.getInstrRefOpIndex()}),
            MI);
    }
}

const WarpallocSource *SourceTables::build(ArrayRef<MachineInstr *> Code,
                                           unsigned RegisterCount) {
  for (const MachineInstr *MI : Code)
    InstructionLocations.push_back(locationNumber(MI->getDebugLoc().get()));
  for (unsigned I = 0; I != RegisterCount; ++I)
    Variables.push_back(variable(Register::index2VirtReg(I)));
  Table.locations = Locations.data();
  Table.location_count = Locations.size();
  Table.instruction_locations = InstructionLocations.data();
  Table.variables = Variables.data();
  Table.is_again = IsAgain;
  return &Table;
}

/// Where code was inlined gets its number first.
unsigned SourceTables::locationNumber(const DILocation *Location) {
  if (!Location)
    return WARPALLOC_NONE;
  if (auto Known = Numbers.find(Location); Known != Numbers.end())
    return Known->second;
  unsigned Outer = locationNumber(Location->getInlinedAt());
  unsigned Number = Locations.size();
  Numbers[Location] = Number;
  Locations.push_back({StringSaver(Texts).save(Location->getFilename()).data(),
                       Location->getLine(), Outer});
  return Number;
}

WarpallocVariable SourceTables::variable(Register Reg) {
  auto [Variable, Expression] = Names.get(Reg);
  if (!Variable || Variable->getName().empty())
    return {nullptr, 0, 0};
  const char *Name = StringSaver(Texts).save(Variable->getName()).data();
  auto Fragment = Expression->getFragmentInfo();
  if (!Fragment)
    return {Name, 0, 0};
  return {Name, uint32_t(Fragment->OffsetInBits),
          uint32_t(Fragment->SizeInBits)};
}
