//===- IrLoops.cpp - What Rust asks about loops of LLVM IR ----------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IrPasses.h"
#include "warpalloc_abi.h"
#include "llvm-c/Types.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/CBindingWrapping.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <vector>

using namespace llvm;
using namespace warpalloc;

namespace {

/// The loops of a function, outer ones before those in them, and their rows.
struct LoopTable {
  LoopTable(const LoopInfo &LI, ScalarEvolution &SE) : LI(LI), SE(SE) {}

  const LoopInfo &LI;
  ScalarEvolution &SE;
  std::vector<Loop *> Loops;
  std::vector<WarpallocIrLoop> Rows;
  DenseMap<const Loop *, uint32_t> Numbers;
  /// Of the value that was asked about last.
  std::vector<uint32_t> Counters;
  std::vector<void *> Unknown;
};

/// Finds what an expression is computed from: counters of loops, and values
/// that are nothing but themselves.
struct Ingredients {
  LoopTable &Table;

  bool follow(const SCEV *Expression) {
    if (const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Expression))
      Table.Counters.push_back(Table.Numbers.lookup(Recurrence->getLoop()));
    else if (const auto *Leaf = dyn_cast<SCEVUnknown>(Expression))
      Table.Unknown.push_back(wrap(Leaf->getValue()));
    return true;
  }
  bool isDone() const { return false; }
};

} // namespace

/// The least number of iterations after which an exit is surely taken, as
/// LLVM's unrolling sees it; 0 if no exit tells.
static unsigned tripCount(Loop &L, ScalarEvolution &SE) {
  SmallVector<BasicBlock *, 8> Exiting;
  L.getExitingBlocks(Exiting);
  unsigned Least = 0;
  for (BasicBlock *BB : Exiting) {
    unsigned Count = SE.getSmallConstantTripCount(&L, BB);
    if (Count && (!Least || Count < Least))
      Least = Count;
  }
  return Least;
}

static WarpallocIrLoop rowOf(Loop &L, unsigned Parent, ScalarEvolution &SE) {
  WarpallocIrLoop Row;
  Row.header = wrap(L.getHeader());
  BasicBlock *Preheader = L.getLoopPreheader();
  Row.preheader = Preheader ? wrap(Preheader) : nullptr;
  Row.parent = Parent;
  Row.trip_count = tripCount(L, SE);
  Row.most_trips = SE.getSmallConstantMaxTripCount(&L);
  Row.size = 0;
  Row.can_unroll = false;
  return Row;
}

/// Adds to the rows what LLVM's unrolling asks about: every instruction of
/// every loop is looked at, so only where somebody needs it.
static void measure(LoopTable &Table, Function &F,
                    FunctionAnalysisManager &Functions) {
  const auto &TTI = Functions.getResult<TargetIRAnalysis>(F);
  SmallPtrSet<const Value *, 32> Ephemeral;
  CodeMetrics::collectEphemeralValues(
      &F, &Functions.getResult<AssumptionAnalysis>(F), Ephemeral);
  for (size_t I = 0; I != Table.Loops.size(); ++I) {
    Loop &L = *Table.Loops[I];
    CodeMetrics Metrics;
    for (BasicBlock *BB : L.blocks())
      Metrics.analyzeBasicBlock(BB, TTI, Ephemeral, /*PrepareForLTO=*/false,
                                &L);
    WarpallocIrLoop &Row = Table.Rows[I];
    bool IsCounted = Metrics.NumInsts.isValid();
    Row.size = IsCounted ? Metrics.NumInsts.getValue() : 0;
    Row.can_unroll = !Metrics.notDuplicatable && IsCounted &&
                     !(hasUnrollTransformation(&L) & TM_Disable);
  }
}

extern "C" void *warpalloc_ir_loops_new(void *Analyses, void *Function,
                                        bool Measured, WarpallocIrLoops *Out) {
  auto &Functions = static_cast<IrAnalyses *>(Analyses)->Functions;
  auto &F = *cast<llvm::Function>(unwrap(static_cast<LLVMValueRef>(Function)));
  LoopInfo &LI = Functions.getResult<LoopAnalysis>(F);
  auto &SE = Functions.getResult<ScalarEvolutionAnalysis>(F);

  auto *Table = new LoopTable(LI, SE);
  for (Loop *L : LI.getLoopsInPreorder()) {
    Table->Numbers[L] = Table->Loops.size();
    Table->Loops.push_back(L);
    Loop *Parent = L->getParentLoop();
    Table->Rows.push_back(
        rowOf(*L, Parent ? Table->Numbers[Parent] : WARPALLOC_NONE, SE));
  }
  if (Measured)
    measure(*Table, F, Functions);
  Out->loops = Table->Rows.data();
  Out->count = Table->Rows.size();
  return Table;
}

extern "C" void warpalloc_ir_loops_free(void *Table) {
  delete static_cast<LoopTable *>(Table);
}

extern "C" void warpalloc_ir_ingredients(void *Pointer, void *Value,
                                         WarpallocIrIngredients *Out) {
  auto &Table = *static_cast<LoopTable *>(Pointer);
  llvm::Value *V = unwrap(static_cast<LLVMValueRef>(Value));
  Table.Counters.clear();
  Table.Unknown.clear();
  if (Table.SE.isSCEVable(V->getType())) {
    Ingredients Visitor{Table};
    visitAll(Table.SE.getSCEV(V), Visitor);
  } else
    Table.Unknown.push_back(Value);
  Out->counters = Table.Counters.data();
  Out->counter_count = Table.Counters.size();
  Out->unknown = Table.Unknown.data();
  Out->unknown_count = Table.Unknown.size();
}

extern "C" uint32_t warpalloc_ir_loop_of(const void *Table, void *Block) {
  const auto &T = *static_cast<const LoopTable *>(Table);
  const Loop *L =
      T.LI.getLoopFor(unwrap(static_cast<LLVMBasicBlockRef>(Block)));
  return L ? T.Numbers.lookup(L) : WARPALLOC_NONE;
}

extern "C" void warpalloc_ir_loop_unroll(void *Table, uint32_t Number,
                                         const char *Attribute) {
  Loop *L = static_cast<LoopTable *>(Table)->Loops[Number];
  addStringMetadataToLoop(L, Attribute);
}
