//===- GpuLaunch.cpp - Launch bounds of kernels ---------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuLaunch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

/// An attribute's numbers, one for each dimension, multiplied; -1 if it is not
/// there or no such list.
static int64_t product(const Function &F, StringRef Name) {
  Attribute Attr = F.getFnAttribute(Name);
  if (!Attr.isValid())
    return -1;
  uint64_t Product = 1;
  for (StringRef Part : split(Attr.getValueAsString(), ',')) {
    uint32_t Number;
    if (Part.trim().getAsInteger(0, Number))
      return -1;
    Product = SaturatingMultiply(Product, uint64_t(Number));
  }
  return std::min<uint64_t>(Product, UINT32_MAX);
}

/// The numbers of `nvvm.reqntid`; zeros if there is no such list.
static void readDimensions(const Function &F, uint32_t (&Sizes)[3]) {
  Attribute Attr = F.getFnAttribute("nvvm.reqntid");
  if (!Attr.isValid())
    return;
  uint32_t Numbers[] = {1, 1, 1};
  unsigned Count = 0;
  for (StringRef Part : split(Attr.getValueAsString(), ','))
    if (Count == 3 || Part.trim().getAsInteger(0, Numbers[Count++]))
      return;
  copy(Numbers, Sizes);
}

static bool isNamedIn(const GlobalVariable &Variable, const Function &F) {
  SmallPtrSet<const User *, 8> Seen;
  SmallVector<const User *, 8> Left(Variable.users());
  while (!Left.empty()) {
    const User *One = Left.pop_back_val();
    if (!Seen.insert(One).second)
      continue;
    if (auto *Inst = dyn_cast<Instruction>(One)) {
      if (Inst->getFunction() == &F)
        return true;
    } else if (isa<Constant>(One)) {
      append_range(Left, One->users());
    }
  }
  return false;
}

bool warpalloc::isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel;
}

WarpallocLaunch warpalloc::getLaunch(const Function &F) {
  WarpallocLaunch Launch = {};
  Launch.registers = product(F, "nvvm.maxnreg");
  Launch.most_threads = product(F, "nvvm.maxntid");
  Launch.threads = product(F, "nvvm.reqntid");
  Launch.blocks = product(F, "nvvm.minctasm");
  readDimensions(F, Launch.dimensions);
  const DataLayout &Layout = F.getDataLayout();
  for (const GlobalVariable &Variable : F.getParent()->globals()) {
    if (Variable.getAddressSpace() != NVPTXAS::ADDRESS_SPACE_SHARED ||
        !isNamedIn(Variable, F))
      continue;
    Align Alignment = Layout.getValueOrABITypeAlignment(
        Variable.getAlign(), Variable.getValueType());
    uint64_t Bytes =
        Layout.getTypeAllocSize(Variable.getValueType()).getFixedValue();
    Launch.shared_memory = alignTo(Launch.shared_memory, Alignment) + Bytes;
    if (!Bytes)
      Launch.has_dynamic_shared_memory = true;
  }
  for (const Argument &Parameter : F.args()) {
    auto *Pointer = dyn_cast<PointerType>(Parameter.getType());
    if (Pointer && Pointer->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED)
      Launch.has_dynamic_shared_memory = true;
  }
  for (Intrinsic::ID ID : {Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32,
                           Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32})
    if (const Function *Declared =
            Intrinsic::getDeclarationIfExists(F.getParent(), ID))
      Launch.moves_registers |= any_of(Declared->users(), [&](const User *One) {
        auto *Call = dyn_cast<Instruction>(One);
        return Call && Call->getFunction() == &F;
      });
  return Launch;
}
