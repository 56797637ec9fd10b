//===- Source.h - Lines and variables of the source -------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What debug information says of a function, as tables. Exported only where
// somebody wants remarks.
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_SOURCE_H
#define WARPALLOC_SHIM_SOURCE_H

#include "warpalloc_abi.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/Register.h"
#include "llvm/Support/Allocator.h"
#include <vector>

namespace llvm {
class DIExpression;
class DILocalVariable;
class DILocation;
class MachineFunction;
class MachineInstr;
} // namespace llvm

namespace warpalloc {

/// Which variables registers hold, as DBG_VALUEs and DBG_INSTR_REFs say.
class VariableNames {
public:
  /// Finds them. LiveDebugVariables takes these instructions out of the code.
  void find(const llvm::MachineFunction &MF);
  void clear() { Known.clear(); }

  /// The variable with its expression, both null if there is none.
  std::pair<const llvm::DILocalVariable *, const llvm::DIExpression *>
  get(llvm::Register Reg) const {
    return Known.lookup(Reg);
  }

private:
  void add(llvm::Register Reg, const llvm::MachineInstr &MI);

  llvm::DenseMap<llvm::Register, std::pair<const llvm::DILocalVariable *,
                                           const llvm::DIExpression *>>
      Known;
};

/// The tables of one function.
class SourceTables {
public:
  SourceTables(const VariableNames &Names, bool IsAgain)
      : Names(Names), IsAgain(IsAgain) {}

  /// Valid as long as this object.
  const WarpallocSource *build(llvm::ArrayRef<llvm::MachineInstr *> Code,
                               unsigned RegisterCount);

private:
  unsigned locationNumber(const llvm::DILocation *Location);
  WarpallocVariable variable(llvm::Register Reg);

  const VariableNames &Names;
  bool IsAgain;
  std::vector<WarpallocSourceLine> Locations;
  std::vector<uint32_t> InstructionLocations;
  std::vector<WarpallocVariable> Variables;
  WarpallocSource Table = {};
  llvm::DenseMap<const llvm::DILocation *, unsigned> Numbers;
  llvm::BumpPtrAllocator Texts;
};

} // namespace warpalloc

#endif
