//===- GpuUniform.cpp - Uniformity of NVPTX instructions ------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuUniform.h"
#include "GpuLaunch.h"
#include "warpalloc_abi.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include <optional>

using namespace llvm;
using namespace warpalloc;

namespace {

/// Opcodes whose result depends on their operands alone. The first row that
/// fits counts; what no row fits is divergent: %tid, %laneid, clocks, shuffles,
/// votes, atomics, calls, inline assembly, and whatever LLVM learns one day.
/// Loads are not here, as it depends on their operands.
struct Row {
  const char *Pattern;
  unsigned PathFrom, SourceFrom;
};

/// The SMs at which the uniform data path came and grew.
constexpr unsigned Never = 0, Turing = 75, Blackwell = 100;

// Source: the instruction sets in NVIDIA's "CUDA Binary Utilities", and what
// ptxas makes of the examples for sm_75, sm_90 and sm_100. Uniform registers
// take the place of the constant operand, so one instruction reads one of them.
constexpr Row Rows[] = {
    // 32- and 64-bit integers.
    {"{ADD,SUB,MULT}{32,64}[ri][ri]", Turing, Turing},
    {"MAD_{LO_S32,LO_S64,WIDE_S32,WIDE_U32}*", Turing, Turing},
    {"MUL_{WIDEs32,WIDEu32,HI_S32,HI_U32}*", Turing, Turing},
    {"NEG_S{32,64}", Turing, Turing},
    {"{AND,OR,XOR}_b{32,64}r[ri]", Turing, Turing},
    {"NOT_b{32,64}", Turing, Turing},
    {"{SHL,SRL,SRA,SHL_CLAMP,SRL_CLAMP}{32,64}_[ri][ri]", Turing, Turing},
    {"SHF_[LR]_*", Turing, Turing},
    {"SELP_[bf]{32,64}[ri][ri]", Turing, Turing},
    {"SETP_i{32,64}[ri][ri]", Turing, Turing},
    {"PRMT_B32*", Turing, Turing},
    {"{POPC,CLZ}r{32,64}", Turing, Turing},
    {"BREV_b{32,64}", Turing, Turing},
    {"CVT_[su]{32,64}_[su]{32,64}", Turing, Turing},
    {"I64toI32[HL]*", Turing, Turing},
    {"I64toV2I32", Turing, Turing},
    {"V2I32toI64", Turing, Turing},
    // Moves, also of constants and addresses.
    {"COPY", Turing, Turing},
    {"IMPLICIT_DEF", Turing, Never},
    {"MOV_[BF]{1,32,64}_[ri]", Turing, Turing},
    {"MOV_B{32,64}_sym", Turing, Never},
    {"cvta_{global,shared,const,param}", Turing, Turing},
    {"cvta_{global,shared,const,param}_64", Turing, Turing},
    {"cvta_to_{global,shared,const,param}", Turing, Turing},
    {"cvta_to_{global,shared,const,param}_64", Turing, Turing},
    {"INT_PTX_SREG_{CTAID,NTID,NCTAID}_[xyz]", Turing, Never},
    // Predicates. A branch reads the threads' own before Blackwell.
    {"{AND,OR,XOR}_predr[ri]", Turing, Turing},
    {"NOT_pred", Turing, Turing},
    {"CBranch", Never, Blackwell},
    {"{GOTO,Return,EXIT,trapinst,trapexitinst}", Never, Never},
    {"BRX_*", Never, Never},
    // 32-bit floating point.
    {"F{ADD,SUB,MUL}{,_rn}f32r[ri]", Blackwell, Turing},
    {"FMA_F32[ri][ri][ri]", Blackwell, Turing},
    {"SETP_f32*", Never, Turing},
    {"{MAX,MIN}_f32_r[ri]", Never, Turing},
    // What only the threads can compute.
    {"F{ADD,SUB,MUL}{,_rn}f64r[ri]", Never, Turing},
    {"FMA_F64[ri][ri][ri]", Never, Turing},
    {"{SMIN,SMAX,UMIN,UMAX}{32,64}r[ri]", Never, Turing},
    {"BF[EI]_*", Never, Turing},
    {"{ADD,SUB,MULT}16[ri][ri]", Never, Never},
    {"{AND,OR,XOR}_b16*", Never, Never},
    {"{SHL,SRL,SRA}16_*", Never, Never},
    {"[SU]{DIV,REM}*", Never, Never},
    {"{SETP,SELP,CVT,MUL,MAD,MIN,MAX}_*", Never, Never},
    {"MOV_{B,F,BF}16_*", Never, Never},
    {"{FADD,FSUB,FMUL,FMA,FNEG,FABS,FDIV,FRCP,FSQRT,NEG_,ABS_}*", Never, Never},
    {"*_APPROX_*", Never, Never},
    {"cvta_*", Never, Never},
};

} // namespace

GpuUniform::Facts GpuUniform::lookUp(StringRef Name) {
  for (const Row &Candidate : Rows) {
    Expected<GlobPattern> Pattern = GlobPattern::create(Candidate.Pattern, 64);
    if (Pattern && Pattern->match(Name))
      return {true, Candidate.PathFrom, Candidate.SourceFrom};
    consumeError(Pattern.takeError());
  }
  return {};
}

/// The space that an instruction loads from in the usual way: neither volatile
/// nor atomic nor by way of another cache.
static std::optional<unsigned> loadedSpace(const MachineInstr &MI,
                                           StringRef Name) {
  if (!Name.starts_with("LD_i") && !Name.starts_with("LDV_i"))
    return std::nullopt;
  // Results, ordering, scope, space, ...
  unsigned First = MI.getNumExplicitDefs();
  const MachineOperand &Ordering = MI.getOperand(First);
  const MachineOperand &Space = MI.getOperand(First + 2);
  if (!Ordering.isImm() || Ordering.getImm() != 0 || !Space.isImm())
    return std::nullopt;
  return Space.getImm();
}

static StringRef nameOf(const MachineInstr &MI) {
  return MI.getMF()->getSubtarget().getInstrInfo()->getName(MI.getOpcode());
}

/// Whether a load from a space has what nobody writes.
static bool isConstant(const MachineInstr &MI, std::optional<unsigned> Space) {
  auto IsInvariant = [](const MachineMemOperand *Operand) {
    return Operand->isInvariant();
  };
  return Space == NVPTXAS::ADDRESS_SPACE_CONST ||
         (Space == NVPTXAS::ADDRESS_SPACE_PARAM && !MI.memoperands_empty() &&
          all_of(MI.memoperands(), IsInvariant));
}

/// Whether an instruction may load an address: it defines 64 bits that other
/// than double precision arithmetic reads.
static bool mayLoadAddress(const MachineInstr &MI) {
  const MachineRegisterInfo &MRI = MI.getMF()->getRegInfo();
  const TargetRegisterInfo &TRI = *MRI.getTargetRegisterInfo();
  auto IsDouble = [](const MachineInstr &User) {
    return nameOf(User).contains_insensitive("f64");
  };
  return any_of(MI.defs(), [&](const MachineOperand &Def) {
    Register Loaded = Def.getReg();
    return Loaded.isVirtual() && TRI.getRegSizeInBits(Loaded, MRI) == 64 &&
           !all_of(MRI.use_nodbg_instructions(Loaded), IsDouble);
  });
}

bool GpuUniform::isConstantLoad(const MachineInstr &MI) {
  return MI.mayLoad() && isConstant(MI, loadedSpace(MI, nameOf(MI)));
}

unsigned GpuUniform::flags(const MachineInstr &MI, unsigned SM) {
  StringRef Name = nameOf(MI);
  auto [Entry, IsNew] = Known.try_emplace(MI.getOpcode());
  if (IsNew)
    Entry->second = lookUp(Name);
  Facts Found = Entry->second;
  unsigned Flags = 0;

  bool LoadsGlobal = false;
  if (Name.starts_with("LD_GLOBAL_NC_") || Name.starts_with("LDU_GLOBAL_")) {
    Found.IsFunction = LoadsGlobal = true;
  } else if (std::optional<unsigned> Space = loadedSpace(MI, Name)) {
    bool IsConstant = isConstant(MI, Space);
    // All threads see the same at the same address, unlike in local memory and
    // in the generic space, which contains it.
    LoadsGlobal = Space == NVPTXAS::ADDRESS_SPACE_GLOBAL;
    Found.IsFunction =
        IsConstant || LoadsGlobal || Space == NVPTXAS::ADDRESS_SPACE_SHARED;
    Found.PathFrom = IsConstant ? Turing : Never;
    if (IsConstant && Space == NVPTXAS::ADDRESS_SPACE_PARAM &&
        !isKernel(MI.getMF()->getFunction()))
      Flags |= WARPALLOC_ARGUMENT;
  } else if (Name.starts_with("LEA_ADDRi")) {
    // Each thread has a stack frame of its own.
    const MachineOperand &Base = MI.getOperand(1);
    Found.IsFunction =
        !Base.isFI() && !(Base.isReg() && Base.getReg().isPhysical());
    Found.PathFrom = Found.IsFunction ? Turing : Never;
    Found.SourceFrom = Found.PathFrom;
  }

  auto Applies = [&](unsigned From) { return From != Never && SM >= From; };
  auto IsLocal = [](const MachineMemOperand *Operand) {
    return Operand->getAddrSpace() == NVPTXAS::ADDRESS_SPACE_LOCAL;
  };
  if (any_of(MI.memoperands(), IsLocal))
    Flags |= WARPALLOC_LOCAL_MEMORY;
  if (!Found.IsFunction && (MI.getNumDefs() || MI.isTerminator()))
    Flags |= WARPALLOC_DIVERGENT;
  if (Applies(Found.PathFrom))
    Flags |= WARPALLOC_UNIFORM_PATH;
  if (Applies(Found.SourceFrom))
    Flags |= WARPALLOC_UNIFORM_SOURCE;
  // ptxas leaves addresses in the threads' registers.
  if (LoadsGlobal && Applies(Turing) && !mayLoadAddress(MI))
    Flags |= WARPALLOC_UNIFORM_LOAD;
  return Flags;
}
