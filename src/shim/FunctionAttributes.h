//===- FunctionAttributes.h - What a function says itself -------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The string attributes of a function, as they are: Rust says which of them are
// for us.
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_FUNCTIONATTRIBUTES_H
#define WARPALLOC_SHIM_FUNCTIONATTRIBUTES_H

#include "warpalloc_abi.h"
#include <string>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace warpalloc {

/// String attributes, valid until others are read.
class FunctionAttributes {
public:
  void read(const llvm::Function &F);

  const WarpallocAttribute *data() const { return Table.data(); }
  uint32_t size() const { return Table.size(); }

private:
  /// Names and values in turn.
  std::vector<std::string> Texts;
  std::vector<WarpallocAttribute> Table;
};

} // namespace warpalloc

#endif
