//===- Allocation.cpp - Calls into Rust -----------------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocation.h"
#include "Options.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include <string>
#include <vector>

using namespace llvm;
using namespace warpalloc;

unsigned warpalloc::getSmVersion(const MachineFunction &MF) {
  StringRef Name = MF.getSubtarget().getCPU();
  unsigned Version = 0;
  if (!Name.consume_front("sm_") || Name.consumeInteger(10, Version))
    return 0;
  return Version;
}

static Machine importMachine(const MachineFunction &MF) {
  WarpallocTarget Target = {};
  if (MF.getTarget().getTargetTriple().isNVPTX()) {
    Target.is_nvptx = true;
    Target.sm_version = getSmVersion(MF);
    return Machine(warpalloc_machine_new(&Target));
  }
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  unsigned Registers = TRI.getNumRegs();
  unsigned Indices = TRI.getNumSubRegIndices();
  std::vector<const char *> Names(Registers);
  std::vector<uint32_t> UnitBegin, Units;
  std::vector<uint16_t> Parts(size_t(Registers) * Indices);
  for (unsigned Number = 0; Number != Registers; ++Number) {
    UnitBegin.push_back(Units.size());
    Names[Number] = Number ? TRI.getName(Number) : "";
    if (!Number)
      continue;
    size_t First = Units.size();
    for (MCRegUnit Unit : TRI.regunits(MCRegister::from(Number)))
      Units.push_back(static_cast<unsigned>(Unit));
    std::sort(Units.begin() + First, Units.end());
    for (MCSubRegIndexIterator Part(Number, &TRI); Part.isValid(); ++Part)
      Parts[size_t(Number) * Indices + Part.getSubRegIndex()] =
          Part.getSubReg().id();
  }
  UnitBegin.push_back(Units.size());

  Target.unit_count = TRI.getNumRegUnits();
  Target.register_count = Registers;
  Target.register_names = Names.data();
  Target.unit_begin = UnitBegin.data();
  Target.units = Units.data();
  Target.sub_register_index_count = Indices;
  Target.sub_registers = Parts.data();
  return Machine(warpalloc_machine_new(&Target));
}

static void reportRemark(MachineFunction &MF, StringRef Message) {
  MachineOptimizationRemarkEmitter Emitter(MF, nullptr);
  MachineOptimizationRemarkAnalysis Remark(
      "warpalloc", "UnknownSM", MF.getFunction().getSubprogram(), &MF.front());
  Emitter.emit(Remark << Message);
}

const WarpallocMachine *MachineCache::get(MachineFunction &MF) {
  Machine &Entry = Known[MF.getSubtarget().getRegisterInfo()];
  if (!Entry) {
    Entry = importMachine(MF);
    if (const char *Message = warpalloc_machine_remark(Entry.get()))
      reportRemark(MF, Message);
  }
  return Entry.get();
}

Result warpalloc::allocate(MachineFunction &MF, MachineCache &Cache,
                           const WarpallocFunction &Table,
                           WarpallocModule *Module) {
  const WarpallocMachine *Machine = Cache.get(MF);
  if (!Machine) {
    reportError(MF, "internal error: the target's registers are malformed");
    return nullptr;
  }
  std::string Knobs;
  WarpallocOptions Options = getOptions(Knobs);
  Result Outcome(warpalloc_allocate(Machine, &Table, &Options, Module));
  if (Outcome->error) {
    reportError(MF, Outcome->error);
    return nullptr;
  }
  return Outcome;
}

void warpalloc::reportError(MachineFunction &MF, const Twine &Message) {
  MF.getProperties().setFailedRegAlloc();
  MF.getFunction().getContext().emitError("warpalloc: in function '" +
                                          MF.getName() + "': " + Message);
}
