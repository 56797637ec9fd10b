//===- GpuText.cpp - PTX of NVPTX instructions ----------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuText.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetOpcodes.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace warpalloc;

/// No number in the text.
static constexpr uint16_t NoNumber = 0xffff;
/// Stand for operands in a key.
static constexpr int64_t ARegister = -1, AConstant = -2;
/// How the NVPTX printer encodes the name %r<N>.
static constexpr unsigned RegisterName = 3u << 28;

GpuText::GpuText() = default;
GpuText::~GpuText() = default;

const char *GpuText::get(const MachineInstr &MI) {
  if (MI.isInlineAsm())
    return MI.getOperand(0).getSymbolName();
  if (MI.isCall()) {
    const MachineOperand &Callee = MI.getOperand(0);
    return Callee.isGlobal()
               ? Texts.save("call " + Callee.getGlobal()->getName()).data()
               : nullptr;
  }
  auto IsRegister = [](const MachineOperand &Operand) {
    return Operand.isReg();
  };
  // What has no register may still be a fence, a wait or a barrier.
  bool IsOrder =
      !MI.isTerminator() &&
      (MI.hasUnmodeledSideEffects() || MI.isConvergent()) &&
      all_of(MI.explicit_operands(),
             [](const MachineOperand &Operand) { return Operand.isImm(); });
  if ((none_of(MI.explicit_operands(), IsRegister) && !IsOrder) ||
      !isTargetSpecificOpcode(MI.getOpcode()))
    return nullptr;
  Key Mnemonic = {MI.getOpcode()};
  for (const MachineOperand &Operand : MI.explicit_operands())
    Mnemonic.push_back(Operand.isReg() ? ARegister
                       : Operand.isImm() && isUInt<16>(Operand.getImm())
                           ? Operand.getImm()
                           : AConstant);
  auto [Entry, IsNew] = Known.try_emplace(std::move(Mnemonic), nullptr);
  if (IsNew)
    Entry->second = print(MI);
  return Entry->second;
}

const char *GpuText::print(const MachineInstr &MI) {
  const MachineFunction &MF = *MI.getMF();
  const TargetMachine &TM = MF.getTarget();
  if (!Printer)
    Printer.reset(TM.getTarget().createMCInstPrinter(
        TM.getTargetTriple(), 0, *TM.getMCAsmInfo(),
        *MF.getSubtarget().getInstrInfo(),
        *MF.getSubtarget().getRegisterInfo()));
  MCInst Copy;
  Copy.setOpcode(MI.getOpcode());
  for (const MachineOperand &Operand : MI.explicit_operands()) {
    if (Operand.isReg())
      Copy.addOperand(
          MCOperand::createReg(RegisterName | Operand.getOperandNo()));
    else
      Copy.addOperand(
          MCOperand::createImm(Operand.isImm() ? Operand.getImm() : 0));
  }
  // A pseudo instruction has no text.
  if (!Printer || !Printer->getMnemonic(Copy).second)
    return nullptr;
  std::string Text;
  raw_string_ostream Stream(Text);
  Printer->printInst(&Copy, 0, "", MF.getSubtarget(), Stream);
  return Texts.save(StringRef(Text)).data();
}

void GpuText::numberOperands(const MachineInstr &MI,
                             SmallVectorImpl<uint16_t> &Numbers) {
  unsigned Count = MI.getNumOperands();
  Numbers.assign(Count, NoNumber);
  if (!MI.isInlineAsm()) {
    for (unsigned I = 0; I != std::min<unsigned>(Count, NoNumber); ++I)
      Numbers[I] = I;
    return;
  }
  // A word that says what follows, then so many registers; the text counts the
  // words.
  uint16_t Number = 0;
  for (unsigned I = InlineAsm::MIOp_FirstOperand;
       I < Count && MI.getOperand(I).isImm(); ++Number) {
    InlineAsm::Flag Flag(MI.getOperand(I).getImm());
    if (Flag.getNumOperandRegisters() && I + 1 < Count)
      Numbers[I + 1] = Number;
    I += 1 + Flag.getNumOperandRegisters();
  }
}
