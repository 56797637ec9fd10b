//===- FoldTrial.h - Which operands can be in memory ------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_FOLDTRIAL_H
#define WARPALLOC_SHIM_FOLDTRIAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/CodeGen/Register.h"
#include <cstdint>

namespace llvm {
class MachineFunction;
class MachineInstr;
class TargetRegisterClass;
class TargetSubtargetInfo;
} // namespace llvm

namespace warpalloc {

/// What `TargetInstrInfo::foldMemoryOperand` is given to fold all that an
/// instruction does with a virtual register: its operands, but for uses that
/// are tied to a definition. Empty if the instruction cannot be asked for.
llvm::SmallVector<unsigned, 2> getFoldOperands(const llvm::MachineInstr &MI,
                                               llvm::Register Value);

/// Whether an instruction says in a table where its operands are: as many of
/// them as there are may be in memory.
bool isRecord(const llvm::MachineInstr &MI);

/// Finds out what a target folds. Targets have no way to say so, they can only
/// do it; so they are given a copy of the instruction in a function of its own,
/// once for each kind of instruction.
class FoldTrial {
public:
  /// What is known of another subtarget, or for another goal, is forgotten.
  void start(llvm::MachineFunction &MF);

  /// Whether the target folds all that an instruction does with a virtual
  /// register.
  bool canFold(const llvm::MachineInstr &MI, llvm::Register Value);

  /// Whether the target folds what an instruction reads of a virtual register
  /// with the load that defines it.
  bool canLoad(const llvm::MachineInstr &MI, llvm::Register Value,
               const llvm::MachineInstr &Load);

private:
  bool findKey(const llvm::MachineInstr &MI, llvm::Register Value);
  void addLoadToKey(const llvm::MachineInstr &Load);
  bool ask(const llvm::MachineInstr &MI, llvm::Register Value,
           const llvm::MachineInstr *Load);
  bool attempt(const llvm::MachineInstr &MI, llvm::Register Value,
               const llvm::MachineInstr *Load) const;

  llvm::MachineFunction *MF = nullptr;
  const llvm::TargetSubtargetInfo *Subtarget = nullptr;
  bool ForSize = false;
  /// By the bytes of the key.
  llvm::StringMap<bool> Known;
  /// The operands that are asked for.
  llvm::SmallVector<unsigned, 2> Operands;
  /// The opcode, the register's class and the operands, and the same of a load.
  llvm::SmallVector<int64_t, 8> Key;
};

} // namespace warpalloc

#endif
