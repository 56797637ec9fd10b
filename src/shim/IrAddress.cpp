//===- IrAddress.cpp - What Rust asks about addresses in LLVM IR ----------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IrPasses.h"
#include "warpalloc_abi.h"
#include "llvm-c/Types.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/CBindingWrapping.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace warpalloc;

/// Takes an address computation apart: its first operand, a constant, and at
/// most one variable times a constant. False if there is more to it.
extern "C" bool warpalloc_ir_address(void *Value, WarpallocIrAddress *Out) {
  auto *Computation =
      dyn_cast<GEPOperator>(unwrap(static_cast<LLVMValueRef>(Value)));
  if (!Computation || Computation->getType()->isVectorTy())
    return false;
  auto *I = dyn_cast<Instruction>(Computation);
  if (!I)
    return false;
  const DataLayout &DL = I->getModule()->getDataLayout();
  unsigned Width = DL.getIndexTypeSizeInBits(Computation->getType());
  APInt Constant(Width, 0);
  SmallMapVector<llvm::Value *, APInt, 4> Variables;
  if (!Computation->collectOffset(DL, Width, Variables, Constant) ||
      Variables.size() > 1)
    return false;
  Out->base = wrap(Computation->getPointerOperand());
  Out->constant = Constant.getSExtValue();
  Out->variable = nullptr;
  Out->stride = 0;
  if (!Variables.empty()) {
    Out->variable = wrap(Variables.front().first);
    Out->stride = Variables.front().second.getSExtValue();
  }
  return true;
}

/// The bytes of a stack variable of constant size; 0 if it has none.
extern "C" uint64_t warpalloc_ir_variable_size(void *Value) {
  auto *Variable =
      dyn_cast<AllocaInst>(unwrap(static_cast<LLVMValueRef>(Value)));
  if (!Variable)
    return 0;
  std::optional<TypeSize> Size =
      Variable->getAllocationSize(Variable->getModule()->getDataLayout());
  return Size && !Size->isScalable() ? Size->getFixedValue() : 0;
}

/// Whether one instruction has run whenever another does.
extern "C" bool warpalloc_ir_dominates(void *Analyses, void *First,
                                       void *Second) {
  auto *Before = cast<Instruction>(unwrap(static_cast<LLVMValueRef>(First)));
  auto *Behind = cast<Instruction>(unwrap(static_cast<LLVMValueRef>(Second)));
  return static_cast<IrAnalyses *>(Analyses)
      ->Functions.getResult<DominatorTreeAnalysis>(*Before->getFunction())
      .dominates(Before, Behind);
}

/// The upper bits of an integer that are known to be zero.
extern "C" uint32_t warpalloc_ir_leading_zeros(void *Value) {
  auto *I = dyn_cast<Instruction>(unwrap(static_cast<LLVMValueRef>(Value)));
  if (!I)
    return 0;
  return computeKnownBits(I, I->getModule()->getDataLayout())
      .countMinLeadingZeros();
}

/// The bytes that a load or store accesses.
extern "C" uint64_t warpalloc_ir_access_size(void *Value) {
  auto *I = dyn_cast<Instruction>(unwrap(static_cast<LLVMValueRef>(Value)));
  Type *Accessed = I ? getLoadStoreType(I) : nullptr;
  return Accessed ? I->getModule()
                        ->getDataLayout()
                        .getTypeStoreSize(Accessed)
                        .getFixedValue()
                  : 0;
}
