//===- Chooser.cpp - Options of single functions --------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells Rust which functions a module defines, and gives each of them what Rust
// has chosen for it as an attribute. It comes before all other passes, as the
// hash is of the code as it came.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Registration.h"
#include "warpalloc_abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StableHashing.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/Pass.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>
#include <vector>

using namespace llvm;
using namespace warpalloc;

namespace {

class Chooser : public ModulePass {
public:
  static char ID;
  explicit Chooser(TargetMachine &TM) : ModulePass(ID), TM(TM) {}

  StringRef getPassName() const override { return "Warpalloc Choices"; }
  bool runOnModule(Module &M) override;

private:
  TargetMachine &TM;
};

struct ChosenDeleter {
  void operator()(WarpallocChosen *C) const { warpalloc_chosen_free(C); }
};

} // namespace

char Chooser::ID = 0;

ModulePass *warpalloc::createChooser(TargetMachine &TM) {
  return new Chooser(TM);
}

/// LLVM's hash sees instructions, types and constants, but not which result is
/// whose operand.
static uint64_t hashOf(const Function &F) {
  DenseMap<const Value *, uint64_t> Numbers;
  for (const BasicBlock &Block : F) {
    Numbers.insert({&Block, Numbers.size() + 1});
    for (const Instruction &Inst : Block)
      Numbers.insert({&Inst, Numbers.size() + 1});
  }
  stable_hash Hash = StructuralHash(F, /*DetailedHash=*/true);
  for (const Instruction &Inst : instructions(F)) {
    for (const Value *Operand : Inst.operand_values())
      Hash = stable_hash_combine(Hash, Numbers.lookup(Operand));
    if (auto *Phi = dyn_cast<PHINode>(&Inst))
      for (const BasicBlock *Block : Phi->blocks())
        Hash = stable_hash_combine(Hash, Numbers.lookup(Block));
  }
  return Hash;
}

static void emitRemark(Function &F, const WarpallocChoiceRemark &One) {
  OptimizationRemarkEmitter Emitter(&F);
  Emitter.emit([&] {
    return OptimizationRemarkMissed("warpalloc", One.name,
                                    DiagnosticLocation(F.getSubprogram()),
                                    &F.getEntryBlock())
           << StringRef(One.text);
  });
}

bool Chooser::runOnModule(Module &M) {
  std::vector<Function *> Functions;
  for (Function &F : M)
    if (!F.isDeclaration())
      Functions.push_back(&F);
  // All texts first, so that they stay where they are.
  std::vector<std::string> Names, Processors;
  for (Function *F : Functions) {
    Names.push_back(F->getName().str());
    const TargetSubtargetInfo *Subtarget = TM.getSubtargetImpl(*F);
    Processors.push_back((Subtarget ? Subtarget->getCPU() : "").str());
  }
  std::vector<WarpallocDefinition> Definitions;
  for (size_t I = 0; I != Functions.size(); ++I)
    Definitions.push_back(
        {Names[I].c_str(), Processors[I].c_str(), hashOf(*Functions[I])});
  std::unique_ptr<WarpallocChosen, ChosenDeleter> Chosen(
      warpalloc_choose(getChoicesFile(), M.getModuleIdentifier().c_str(),
                       Definitions.data(), Definitions.size(), printsHashes()));
  if (Chosen->error) {
    M.getContext().emitError(Twine("warpalloc: ") + Chosen->error);
    return false;
  }
  for (uint32_t I = 0; I != Chosen->value_count; ++I)
    if (const char *Value = Chosen->values[I])
      Functions[I]->addFnAttr(Chosen->attribute, Value);
  for (uint32_t I = 0; I != Chosen->remark_count; ++I)
    if (Chosen->remarks[I].definition < Functions.size())
      emitRemark(*Functions[Chosen->remarks[I].definition], Chosen->remarks[I]);
  return Chosen->value_count;
}
