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
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace warpalloc;

/// PTX's local space, in LLVM's numbering.
static constexpr int64_t LocalSpace = NVPTXAS::ADDRESS_SPACE_LOCAL;
static constexpr int64_t SharedSpace = NVPTXAS::ADDRESS_SPACE_SHARED;
/// Operands of memory instructions: neither volatile nor atomic, no scope, an
/// untyped value, all its bytes.
static constexpr int64_t Weak = 0, NoScope = 0, Untyped = 3, AllBytes = -1;
/// Operand of conversions: they neither round nor saturate.
static constexpr int64_t AsItIs = 0;
/// "Not equal", among the comparisons.
static constexpr int64_t NotEqual = 1;

GpuTarget::GpuTarget(const MachineFunction &MF)
    : TII(*MF.getSubtarget().getInstrInfo()),
      TRI(*MF.getSubtarget().getRegisterInfo()) {
  Class32 = registerClass("B32");
  Class64 = registerClass("B64");
  Class128 = registerClass("B128");
  Spills[registerClass("B16")] = {16, {opcode("ST_i16")}, {opcode("LD_i16")}};
  Spills[Class32] = {
      32,
      {opcode("ST_i32"), opcode("STV_i32_v2"), opcode("STV_i32_v4")},
      {opcode("LD_i32"), opcode("LDV_i32_v2"), opcode("LDV_i32_v4")}};
  Spills[Class64] = {64,
                     {opcode("ST_i64"), opcode("STV_i64_v2")},
                     {opcode("LD_i64"), opcode("LDV_i64_v2")}};
  SplitQuad = opcode("I128toV2I64");
  JoinQuad = opcode("V2I64toI128");
  ToHalf = opcode("CVT_u32_u64");
  FromHalf = opcode("CVT_u64_u32");
  Select = opcode("SELP_b32ii");
  Compare = opcode("SETP_i32ri");
  And = opcode("AND_b32ri");
  Move = opcode("MOV_B32_i");
  MoveFrameAddress = opcode("MOV_DEPOT_ADDR");
  ToLocal[0] = opcode("cvta_to_local");
  ToLocal[1] = opcode("cvta_to_local_64");
  ToGlobal[0] = opcode("cvta_to_global");
  ToGlobal[1] = opcode("cvta_to_global_64");
  Address[0] = opcode("LEA_ADDRi");
  Address[1] = opcode("LEA_ADDRi64");
  SymbolAddress[0] = opcode("MOV_B32_sym");
  SymbolAddress[1] = opcode("MOV_B64_sym");
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

static MachineMemOperand *memory(MachineBasicBlock &Block, StackSlot Slot,
                                 unsigned Bytes,
                                 MachineMemOperand::Flags Flags) {
  MachineFunction &MF = *Block.getParent();
  if (Slot.Shared)
    return MF.getMachineMemOperand(MachinePointerInfo(SharedSpace), Flags,
                                   Bytes, Align(Bytes));
  Align Alignment = MF.getFrameInfo().getObjectAlign(Slot.FrameIndex);
  return MF.getMachineMemOperand(
      MachinePointerInfo::getFixedStack(MF, Slot.FrameIndex, Slot.Offset),
      Flags, Bytes, commonAlignment(Alignment, Slot.Offset));
}

static MachineOperand address(StackSlot Slot) {
  return Slot.Shared ? MachineOperand::CreateReg(Slot.Shared, /*isDef=*/false)
                     : MachineOperand::CreateFI(Slot.FrameIndex);
}

bool GpuTarget::isHalf(const MachineRegisterInfo &MRI, Register Value,
                       StackSlot Slot) const {
  return Slot.Bytes == 4 && MRI.getRegClass(Value) == Class64;
}

void GpuTarget::store(MachineBasicBlock &Block,
                      MachineBasicBlock::iterator Where,
                      ArrayRef<Register> Values, StackSlot Slot) const {
  MachineRegisterInfo &MRI = Block.getParent()->getRegInfo();
  SmallVector<Register, 4> Stored(Values);
  for (Register &Value : Stored) {
    if (!isHalf(MRI, Value, Slot))
      continue;
    Register Half = MRI.createVirtualRegister(Class32);
    BuildMI(Block, Where, DebugLoc(), TII.get(ToHalf), Half)
        .addReg(Value)
        .addImm(AsItIs);
    Value = Half;
  }
  Values = Stored;
  if (MRI.getRegClass(Values.front()) == Class128) {
    // The halves are names for parts of the quad that is already there.
    Register Halves[] = {MRI.createVirtualRegister(Class64),
                         MRI.createVirtualRegister(Class64)};
    BuildMI(Block, Where, DebugLoc(), TII.get(SplitQuad))
        .addDef(Halves[0])
        .addDef(Halves[1])
        .addReg(Values.front());
    store(Block, Where, Halves, Slot);
    return;
  }
  const Spill &How = Spills.at(MRI.getRegClass(Values.front()));
  unsigned Opcode = How.Store[Log2_32(Values.size())];
  assert(Opcode && "no such vector");
  auto Builder = BuildMI(Block, Where, DebugLoc(), TII.get(Opcode));
  for (Register Value : Values)
    Builder.addReg(Value);
  unsigned Bytes = How.Bits / 8 * Values.size();
  Builder.addImm(Weak)
      .addImm(NoScope)
      .addImm(Slot.Shared ? SharedSpace : LocalSpace)
      .addImm(How.Bits)
      .add(address(Slot))
      .addImm(Slot.Offset)
      .addMemOperand(memory(Block, Slot, Bytes, MachineMemOperand::MOStore));
}

void GpuTarget::load(MachineBasicBlock &Block,
                     MachineBasicBlock::iterator Where,
                     ArrayRef<Register> Values, StackSlot Slot) const {
  MachineRegisterInfo &MRI = Block.getParent()->getRegInfo();
  ArrayRef<Register> Wanted = Values;
  SmallVector<Register, 4> Loaded(Values);
  for (Register &Value : Loaded)
    if (isHalf(MRI, Value, Slot))
      Value = MRI.createVirtualRegister(Class32);
  Values = Loaded;
  if (MRI.getRegClass(Values.front()) == Class128) {
    Register Halves[] = {MRI.createVirtualRegister(Class64),
                         MRI.createVirtualRegister(Class64)};
    load(Block, Where, Halves, Slot);
    BuildMI(Block, Where, DebugLoc(), TII.get(JoinQuad), Values.front())
        .addReg(Halves[0])
        .addReg(Halves[1]);
    return;
  }
  const Spill &How = Spills.at(MRI.getRegClass(Values.front()));
  unsigned Opcode = How.Load[Log2_32(Values.size())];
  assert(Opcode && "no such vector");
  auto Builder = BuildMI(Block, Where, DebugLoc(), TII.get(Opcode));
  for (Register Value : Values)
    Builder.addDef(Value);
  unsigned Bytes = How.Bits / 8 * Values.size();
  Builder.addImm(Weak)
      .addImm(NoScope)
      .addImm(Slot.Shared ? SharedSpace : LocalSpace)
      .addImm(Untyped)
      .addImm(How.Bits)
      .addImm(AllBytes)
      .add(address(Slot))
      .addImm(Slot.Offset)
      .addMemOperand(memory(Block, Slot, Bytes, MachineMemOperand::MOLoad));
  for (auto [Value, Half] : zip(Wanted, Values))
    if (Value != Half)
      BuildMI(Block, Where, DebugLoc(), TII.get(FromHalf), Value)
          .addReg(Half)
          .addImm(AsItIs);
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

/// No 32-bit register besides the word: there may be none free.
void GpuTarget::pack(MachineBasicBlock &Block,
                     MachineBasicBlock::iterator Where, PackedBit To,
                     Register From) const {
  std::string Mask = std::to_string(int32_t(1u << To.Number));
  std::string Others = std::to_string(int32_t(~(1u << To.Number)));
  std::string Text =
      "and.b32 $0, $1, " + Others + ";\n\t@$2 or.b32 $0, $0, " + Mask + ";";
  insertAssembly(Block, Where, Text, To.Word, {To.Word, From});
}

/// The hardware does both in one instruction, without the scratch register.
void GpuTarget::unpack(MachineBasicBlock &Block,
                       MachineBasicBlock::iterator Where, Register To,
                       PackedBit From, Register Scratch) const {
  BuildMI(Block, Where, DebugLoc(), TII.get(And), Scratch)
      .addReg(From.Word)
      .addImm(int32_t(1u << From.Number));
  narrow(Block, Where, To, Scratch);
}

Register GpuTarget::loadZero(MachineBasicBlock &Block) const {
  Register Zero =
      Block.getParent()->getRegInfo().createVirtualRegister(Class32);
  BuildMI(Block, Block.begin(), DebugLoc(), TII.get(Move), Zero).addImm(0);
  return Zero;
}

bool GpuTarget::isConversionToLocal(const MachineInstr &MI) const {
  return is_contained(ToLocal, MI.getOpcode());
}

bool GpuTarget::isConversionToGlobal(const MachineInstr &MI) const {
  return is_contained(ToGlobal, MI.getOpcode());
}

bool GpuTarget::isAddress(const MachineInstr &MI) const {
  return is_contained(Address, MI.getOpcode());
}

bool GpuTarget::isSymbolAddress(const MachineInstr &MI) const {
  return is_contained(SymbolAddress, MI.getOpcode());
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

void GpuTarget::insertAssembly(MachineBasicBlock &Block,
                               MachineBasicBlock::iterator Where,
                               StringRef Text, ArrayRef<Register> Results,
                               ArrayRef<Register> Sources) const {
  MachineFunction &MF = *Block.getParent();
  MachineRegisterInfo &MRI = MF.getRegInfo();
  auto Builder =
      BuildMI(Block, Where, DebugLoc(), TII.get(TargetOpcode::INLINEASM))
          .addExternalSymbol(MF.createExternalSymbolName(Text))
          .addImm(InlineAsm::Extra_HasSideEffects);
  for (Register Result : Results) {
    InlineAsm::Flag Flag(InlineAsm::Kind::RegDef, /*NumOps=*/1);
    Flag.setRegClass(MRI.getRegClass(Result)->getID());
    Builder.addImm(Flag).addDef(Result);
  }
  for (Register Source : Sources) {
    InlineAsm::Flag Flag(InlineAsm::Kind::RegUse, /*NumOps=*/1);
    Flag.setRegClass(MRI.getRegClass(Source)->getID());
    Builder.addImm(Flag).addReg(Source);
  }
}

std::optional<LocalAccess>
GpuTarget::getLocalAccess(const MachineInstr &MI) const {
  // Counted from the end: ... space, bits, base, offset in stores, ... space,
  // type, bits, bytes, base, offset in loads.
  unsigned FromEnd;
  unsigned Opcode = MI.getOpcode();
  // It stands for what a class does not have.
  if (MI.isPHI())
    return std::nullopt;
  if (any_of(Spills, [&](const auto &Entry) {
        return is_contained(Entry.second.Store, Opcode);
      }))
    FromEnd = 4;
  else if (any_of(Spills, [&](const auto &Entry) {
             return is_contained(Entry.second.Load, Opcode);
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
