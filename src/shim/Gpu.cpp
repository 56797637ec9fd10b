//===- Gpu.cpp - NVPTX particulars ----------------------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gpu.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace warpalloc;

/// PTX's local space, in LLVM's numbering.
static constexpr int64_t LocalSpace = NVPTXAS::ADDRESS_SPACE_LOCAL;
/// Operands of memory instructions: neither volatile nor atomic, no scope, an
/// untyped value, all its bytes.
static constexpr int64_t Weak = 0, NoScope = 0, Untyped = 3, AllBytes = -1;
/// "Not equal", among the comparisons.
static constexpr int64_t NotEqual = 1;

GpuTarget::GpuTarget(const MachineFunction &MF)
    : TII(*MF.getSubtarget().getInstrInfo()),
      TRI(*MF.getSubtarget().getRegisterInfo()) {
  Class32 = registerClass("B32");
  Class64 = registerClass("B64");
  Class128 = registerClass("B128");
  Spills[registerClass("B16")] = {opcode("ST_i16"), opcode("LD_i16"), 16};
  Spills[Class32] = {opcode("ST_i32"), opcode("LD_i32"), 32};
  Spills[Class64] = {opcode("ST_i64"), opcode("LD_i64"), 64};
  StorePair = opcode("STV_i64_v2");
  LoadPair = opcode("LDV_i64_v2");
  SplitQuad = opcode("I128toV2I64");
  JoinQuad = opcode("V2I64toI128");
  Select = opcode("SELP_b32ii");
  Compare = opcode("SETP_i32ri");
  MoveFrameAddress = opcode("MOV_DEPOT_ADDR");
  ToLocal[0] = opcode("cvta_to_local");
  ToLocal[1] = opcode("cvta_to_local_64");
  Address[0] = opcode("LEA_ADDRi");
  Address[1] = opcode("LEA_ADDRi64");
  Frame[0] = physicalRegister("VRFrame32");
  Frame[1] = physicalRegister("VRFrame64");
  LocalFrame[0] = physicalRegister("VRFrameLocal32");
  LocalFrame[1] = physicalRegister("VRFrameLocal64");
}

const GpuTarget &GpuTargetCache::get(const MachineFunction &MF) {
  auto &Entry = Known[MF.getSubtarget().getInstrInfo()];
  if (!Entry)
    Entry = std::make_unique<GpuTarget>(MF);
  return *Entry;
}

unsigned GpuTarget::opcode(StringRef Name) {
  for (unsigned I = 0, E = TII.getNumOpcodes(); I != E; ++I)
    if (TII.getName(I) == Name)
      return I;
  Missing = Name;
  return 0;
}

const TargetRegisterClass *GpuTarget::registerClass(StringRef Name) {
  for (const TargetRegisterClass *RC : TRI.regclasses())
    if (TRI.getRegClassName(RC) == Name)
      return RC;
  Missing = Name;
  return nullptr;
}

MCRegister GpuTarget::physicalRegister(StringRef Name) {
  for (unsigned I = 1, E = TRI.getNumRegs(); I != E; ++I)
    if (TRI.getName(I) == Name)
      return MCRegister::from(I);
  Missing = Name;
  return MCRegister();
}

static MachineMemOperand *memory(MachineBasicBlock &Block, int FrameIndex,
                                 MachineMemOperand::Flags Flags) {
  MachineFunction &MF = *Block.getParent();
  const MachineFrameInfo &Frame = MF.getFrameInfo();
  return MF.getMachineMemOperand(
      MachinePointerInfo::getFixedStack(MF, FrameIndex), Flags,
      Frame.getObjectSize(FrameIndex), Frame.getObjectAlign(FrameIndex));
}

void GpuTarget::store(MachineBasicBlock &Block,
                      MachineBasicBlock::iterator Where, Register Value,
                      int FrameIndex) const {
  MachineRegisterInfo &MRI = Block.getParent()->getRegInfo();
  const TargetRegisterClass *RC = MRI.getRegClass(Value);
  auto Finish = [&](MachineInstrBuilder Builder, unsigned Bits) {
    Builder.addImm(Weak)
        .addImm(NoScope)
        .addImm(LocalSpace)
        .addImm(Bits)
        .addFrameIndex(FrameIndex)
        .addImm(0)
        .addMemOperand(memory(Block, FrameIndex, MachineMemOperand::MOStore));
  };
  if (RC != Class128) {
    Spill How = Spills.lookup(RC);
    Finish(BuildMI(Block, Where, DebugLoc(), TII.get(How.Store)).addReg(Value),
           How.Bits);
    return;
  }
  // The halves are names for parts of the quad that is already there.
  Register Low = MRI.createVirtualRegister(Class64);
  Register High = MRI.createVirtualRegister(Class64);
  BuildMI(Block, Where, DebugLoc(), TII.get(SplitQuad))
      .addDef(Low)
      .addDef(High)
      .addReg(Value);
  Finish(BuildMI(Block, Where, DebugLoc(), TII.get(StorePair))
             .addReg(Low)
             .addReg(High),
         64);
}

void GpuTarget::load(MachineBasicBlock &Block,
                     MachineBasicBlock::iterator Where, Register Value,
                     int FrameIndex) const {
  MachineRegisterInfo &MRI = Block.getParent()->getRegInfo();
  const TargetRegisterClass *RC = MRI.getRegClass(Value);
  auto Finish = [&](MachineInstrBuilder Builder, unsigned Bits) {
    Builder.addImm(Weak)
        .addImm(NoScope)
        .addImm(LocalSpace)
        .addImm(Untyped)
        .addImm(Bits)
        .addImm(AllBytes)
        .addFrameIndex(FrameIndex)
        .addImm(0)
        .addMemOperand(memory(Block, FrameIndex, MachineMemOperand::MOLoad));
  };
  if (RC != Class128) {
    Spill How = Spills.lookup(RC);
    Finish(BuildMI(Block, Where, DebugLoc(), TII.get(How.Load), Value),
           How.Bits);
    return;
  }
  Register Low = MRI.createVirtualRegister(Class64);
  Register High = MRI.createVirtualRegister(Class64);
  Finish(BuildMI(Block, Where, DebugLoc(), TII.get(LoadPair))
             .addDef(Low)
             .addDef(High),
         64);
  BuildMI(Block, Where, DebugLoc(), TII.get(JoinQuad), Value)
      .addReg(Low)
      .addReg(High);
}

void GpuTarget::widen(MachineBasicBlock &Block,
                      MachineBasicBlock::iterator Where, Register To,
                      Register From) const {
  BuildMI(Block, Where, DebugLoc(), TII.get(Select), To)
      .addImm(-1)
      .addImm(0)
      .addReg(From);
}

void GpuTarget::narrow(MachineBasicBlock &Block,
                       MachineBasicBlock::iterator Where, Register To,
                       Register From) const {
  BuildMI(Block, Where, DebugLoc(), TII.get(Compare), To)
      .addReg(From)
      .addImm(0)
      .addImm(NotEqual);
}

bool GpuTarget::isConversionToLocal(const MachineInstr &MI) const {
  return is_contained(ToLocal, MI.getOpcode());
}

bool GpuTarget::isAddress(const MachineInstr &MI) const {
  return is_contained(Address, MI.getOpcode());
}

MCRegister GpuTarget::localFrameRegister(Register Generic) const {
  for (unsigned I : {0, 1})
    if (Generic == Frame[I])
      return LocalFrame[I];
  return MCRegister();
}

Register GpuTarget::loadFrameAddress(MachineBasicBlock &Block) const {
  MachineFunction &MF = *Block.getParent();
  Register Address = MF.getRegInfo().createVirtualRegister(Class32);
  BuildMI(Block, Block.begin(), DebugLoc(), TII.get(MoveFrameAddress), Address)
      .addImm(MF.getFunctionNumber());
  return Address;
}

std::optional<LocalAccess>
GpuTarget::getLocalAccess(const MachineInstr &MI) const {
  // Counted from the end: ... space, bits, base, offset in stores, ... space,
  // type, bits, bytes, base, offset in loads.
  unsigned FromEnd;
  unsigned Opcode = MI.getOpcode();
  if (Opcode == StorePair || any_of(Spills, [&](const auto &Entry) {
        return Entry.second.Store == Opcode;
      }))
    FromEnd = 4;
  else if (Opcode == LoadPair || any_of(Spills, [&](const auto &Entry) {
             return Entry.second.Load == Opcode;
           }))
    FromEnd = 6;
  else
    return std::nullopt;
  unsigned Count = MI.getNumExplicitOperands();
  const MachineOperand &Space = MI.getOperand(Count - FromEnd);
  if (!Space.isImm() || Space.getImm() != LocalSpace)
    return std::nullopt;
  return LocalAccess{Count - FromEnd, Count - 2};
}
