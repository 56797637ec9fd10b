//===- FunctionAttributes.cpp - What a function says itself ---------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionAttributes.h"
#include "llvm/IR/Function.h"

using namespace llvm;
using namespace warpalloc;

void FunctionAttributes::read(const Function &F) {
  Texts.clear();
  Table.clear();
  for (Attribute One : F.getAttributes().getFnAttrs())
    if (One.isStringAttribute()) {
      Texts.push_back(One.getKindAsString().str());
      Texts.push_back(One.getValueAsString().str());
    }
  // Only now do the texts stay where they are.
  for (size_t I = 0; I != Texts.size(); I += 2)
    Table.push_back({Texts[I].c_str(), Texts[I + 1].c_str()});
}
