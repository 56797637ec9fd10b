//===- Edits.h - Carries out an edit list -----------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_EDITS_H
#define WARPALLOC_SHIM_EDITS_H

#include "Tables.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineBasicBlock.h"

namespace warpalloc {

/// Applies an allocation's edits. How a target stores and loads is up to the
/// derived class.
class EditApplier {
public:
  EditApplier(llvm::MachineFunction &MF, const FunctionTables &Tables,
              const WarpallocResult &Result)
      : MF(MF), Tables(Tables), Result(Result) {}
  virtual ~EditApplier() = default;

  /// LLVM's register for a number of the allocation.
  llvm::Register registerOf(unsigned Number) const;

protected:
  /// Makes the virtual registers that the allocation created.
  void createRegisters(const llvm::TargetRegisterClass *WithoutClass);

  /// Applies all edits in order.
  void applyEdits();

  /// The function's own virtual registers.
  unsigned ownCount() const { return Tables.get().virtual_register_count; }
  /// Whether a virtual register is one of these.
  bool isOwn(llvm::Register Reg) const {
    return Reg.virtRegIndex() < ownCount();
  }

  using Iterator = llvm::MachineBasicBlock::iterator;

  /// Several values go to slots side by side, of which `Slot` is the first.
  virtual void store(Iterator Where, llvm::ArrayRef<llvm::Register> Values,
                     unsigned Slot) = 0;
  virtual void reload(Iterator Where, llvm::ArrayRef<llvm::Register> Values,
                      unsigned Slot) = 0;
  virtual void widen(Iterator Where, llvm::Register To,
                     llvm::Register From) = 0;
  virtual void narrow(Iterator Where, llvm::Register To,
                      llvm::Register From) = 0;
  /// Code now stands in [First, Last).
  virtual void inserted(Iterator First, Iterator Last) = 0;
  virtual void renamed(llvm::Register From, llvm::Register To) = 0;
  virtual void deleteCopy(llvm::MachineInstr &Copy) = 0;
  /// Nothing reads what the instruction defines any more.
  virtual void deleteDefinition(llvm::MachineInstr &Definition) = 0;
  /// The instruction accesses the slot instead of the register. What has taken
  /// its place.
  virtual llvm::MachineInstr &fold(llvm::MachineInstr &MI, llvm::Register Value,
                                   unsigned Slot) = 0;
  /// The instruction loads what it reads itself, as another one does. What has
  /// taken its place.
  virtual llvm::MachineInstr &foldLoad(llvm::MachineInstr &MI,
                                       llvm::Register Value,
                                       llvm::MachineInstr &Load) = 0;

  void rematerialise(Iterator Where, llvm::Register To,
                     const llvm::MachineInstr &From,
                     llvm::ArrayRef<uint32_t> Sources);

  void foldOnce(
      llvm::SmallVectorImpl<std::pair<WarpallocEdit, llvm::Register>> &Folds,
      const WarpallocEdit &Edit) const;

  /// Inserts code, then tells where it stands.
  void insert(Iterator Where, llvm::function_ref<void()> Code);

  llvm::MachineFunction &MF;
  const FunctionTables &Tables;
  const WarpallocResult &Result;
  /// The registers of `Result.created`.
  llvm::SmallVector<llvm::Register, 32> Created;
  /// The instruction that the current edit is about.
  llvm::MachineInstr *Anchor = nullptr;
  /// The block that code is inserted into.
  llvm::MachineBasicBlock *Block = nullptr;

private:
  void insertCode(llvm::ArrayRef<WarpallocEdit> Edits, Iterator Where);
  void move(Iterator Where, llvm::Register To, llvm::Register From);
  void rename(llvm::MachineOperand &Operand, llvm::Register To);
};

} // namespace warpalloc

#endif
