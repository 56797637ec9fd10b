//===- GpuCalls.cpp - Who calls whom in a module --------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuCalls.h"
#include "GpuLaunch.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace warpalloc;

void GpuCalls::clear() {
  Known = nullptr;
  CallsElsewhere = false;
  Number.clear();
  Callers.clear();
  Names.clear();
  Nodes.clear();
  Calls.clear();
}

void GpuCalls::read(const Function &F) {
  const Module &M = *F.getParent();
  if (Known == &M)
    return;
  clear();
  Known = &M;
  for (const Function &One : M) {
    if (One.isDeclaration())
      continue;
    Number.try_emplace(&One, Nodes.size());
    Names.push_back(One.getName().str());
    WarpallocNode Node = {};
    Node.is_kernel = isKernel(One);
    Node.has_address_taken = One.hasAddressTaken(
        /*PutOffender=*/nullptr, /*IgnoreCallbackUses=*/false,
        /*IgnoreAssumeLikeCalls=*/true, /*IgnoreLLVMUsed=*/true);
    if (Node.is_kernel)
      Node.launch = getLaunch(One);
    else
      Node.launch.registers = Node.launch.most_threads = Node.launch.threads =
          Node.launch.blocks = -1;
    Nodes.push_back(Node);
  }
  for (unsigned I = 0, E = Nodes.size(); I != E; ++I)
    Nodes[I].name = Names[I].c_str();
  for (const Function &One : M)
    if (!One.isDeclaration())
      addCalls(One);
}

void GpuCalls::addCalls(const Function &F) {
  unsigned Caller = Number.at(&F);
  SmallSet<unsigned, 8> Seen;
  for (const Instruction &Inst : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&Inst);
    if (!Call || Call->isInlineAsm())
      continue;
    const Value *Operand = Call->getCalledOperand()->stripPointerCasts();
    if (auto *Alias = dyn_cast<GlobalAlias>(Operand))
      Operand = Alias->getAliaseeObject();
    auto *Callee = dyn_cast_or_null<Function>(Operand);
    if (!Callee) {
      Nodes[Caller].calls_indirectly = true;
      Callers.insert(&F);
      continue;
    }
    if (Callee->isIntrinsic() ||
        warpalloc_is_system(Callee->getName().str().c_str()))
      continue;
    Callers.insert(&F);
    CallsElsewhere |= Callee->isDeclaration();
    auto Entry = Number.find(Callee);
    if (Entry != Number.end() && Seen.insert(Entry->second).second)
      Calls.push_back({Caller, Entry->second});
  }
}

const WarpallocCallGraph *GpuCalls::get(const Function &F) {
  read(F);
  auto Entry = Number.find(&F);
  if (Entry == Number.end())
    return nullptr;
  if (isKernel(F) && !Nodes[Entry->second].calls_indirectly)
    return nullptr;
  Graph = {Nodes.data(), uint32_t(Nodes.size()), Calls.data(),
           uint32_t(Calls.size()), Entry->second};
  return &Graph;
}

bool GpuCalls::hasLinkedCalls(const Function &F) const {
  return CallsElsewhere && Callers.contains(&F);
}
