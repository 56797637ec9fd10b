//===- Tables.h - A function as flat tables ---------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills the tables of warpalloc_abi.h from a MachineFunction, and keeps what
// leads back from their numbers to LLVM's objects.
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_TABLES_H
#define WARPALLOC_SHIM_TABLES_H

#include "FoldTrial.h"
#include "FunctionAttributes.h"
#include "warpalloc_abi.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/CodeGen/RegisterClassInfo.h"
#include <string>
#include <vector>

namespace llvm {
class LiveIntervals;
class LiveRegMatrix;
class MachineBlockFrequencyInfo;
class MachineFunction;
class MachineInstr;
class MachineLoopInfo;
class MachineOperand;
class TargetRegisterClass;
class VirtRegMap;
} // namespace llvm

namespace warpalloc {

class GpuCalls;
class GpuOrder;
class GpuText;
class GpuUniform;
class SourceTables;

/// What the export reads besides the function.
struct Analyses {
  const llvm::MachineBlockFrequencyInfo &Frequencies;
  const llvm::MachineLoopInfo &Loops;
  /// These are null on NVPTX.
  llvm::LiveIntervals *Intervals = nullptr;
  llvm::RegisterClassInfo *Classes = nullptr;
  llvm::VirtRegMap *Map = nullptr;
  llvm::LiveRegMatrix *Matrix = nullptr;
  /// Virtual registers that spill code made: they must stay registers.
  const llvm::DenseSet<llvm::Register> *Unspillable = nullptr;
  /// Null but on NVPTX.
  GpuUniform *Uniform = nullptr;
  GpuText *Text = nullptr;
  GpuCalls *Calls = nullptr;
  /// Null if instructions may not change places.
  GpuOrder *Order = nullptr;
  /// Null if nobody wants remarks.
  SourceTables *Source = nullptr;
};

/// The tables of one function. The object is reused for the next one, so that
/// its arrays keep their memory.
class FunctionTables {
public:
  /// Exports a function. What the last one left is forgotten.
  void build(llvm::MachineFunction &MF, const Analyses &Known);

  /// The tables, valid until the next `build`.
  const WarpallocFunction &get() const { return Table; }

  llvm::MachineInstr &instruction(unsigned Number) const {
    return *InstructionOf[Number];
  }
  llvm::MachineOperand &operand(unsigned Number) const {
    return *OperandOf[Number];
  }
  const llvm::TargetRegisterClass &registerClass(unsigned Number) const {
    return *ClassOf[Number];
  }

private:
  void clear();
  unsigned classNumber(const llvm::TargetRegisterClass *RC);
  const llvm::TargetRegisterClass *
  unconstrained(const llvm::MachineOperand &Operand,
                const llvm::TargetRegisterClass *RC) const;
  const llvm::TargetRegisterClass *superClass(llvm::Register Reg) const;
  void addClasses();
  void findAllocatableUnits();
  void addBlocks();
  void addBlock(llvm::MachineBasicBlock &Block);
  void markLeavingCall(const llvm::MachineBasicBlock &Block, unsigned Begin);
  void addInstruction(llvm::MachineInstr &Head);
  void addOperands(llvm::MachineInstr &Member);
  void addOperand(llvm::MachineOperand &Operand);
  void addTies(llvm::MachineInstr &Member, unsigned FirstNumber);
  void markFoldable(const llvm::MachineInstr &MI, unsigned First);
  void markLiveThrough(llvm::MachineInstr &MI, unsigned First);
  const llvm::MachineInstr *repeatableLoad(llvm::Register Reg) const;
  void addMask(const uint32_t *Mask);
  unsigned maskNumber(const uint32_t *Mask);
  unsigned textNumber(const llvm::MachineInstr &MI);
  void addDependences();
  void addHints(llvm::Register Reg, WarpallocVirtualRegister &Data);
  bool isExported(const llvm::MachineOperand &Operand) const;
  bool isRepeatable(const llvm::MachineInstr &MI) const;
  bool isAllocatable(llvm::MCRegister Reg) const;
  void finish();

  llvm::MachineFunction *MF = nullptr;
  const Analyses *Known = nullptr;
  const llvm::TargetRegisterInfo *TRI = nullptr;
  const llvm::TargetInstrInfo *TII = nullptr;
  bool IsGpu = false;
  /// The GPU's SM version.
  unsigned SM = 0;

  std::string Name;
  FunctionAttributes Attributes;
  std::vector<WarpallocBlock> Blocks;
  std::vector<uint32_t> Edges;
  std::vector<uint32_t> LiveIns;
  std::vector<WarpallocInstruction> Instructions;
  std::vector<WarpallocOperand> Operands;
  std::vector<WarpallocVirtualRegister> VirtualRegisters;
  std::vector<uint32_t> Hints;
  std::vector<WarpallocClass> Classes;
  std::vector<uint32_t> ClassOrder;
  std::vector<const uint32_t *> Masks;
  std::vector<const char *> Texts;
  std::vector<WarpallocDependence> Dependences;
  WarpallocFunction Table = {};

  std::vector<llvm::MachineInstr *> InstructionOf;
  std::vector<llvm::MachineOperand *> OperandOf;
  std::vector<const llvm::TargetRegisterClass *> ClassOf;
  llvm::DenseMap<const llvm::TargetRegisterClass *, unsigned> ClassNumber;
  std::vector<unsigned> BlockNumber;
  llvm::DenseMap<const uint32_t *, unsigned> MaskNumber;
  llvm::DenseMap<const char *, unsigned> TextNumber;
  /// Masks of bundles with several calls.
  std::vector<std::vector<uint32_t>> CombinedMasks;
  /// For each operand of the current instruction, its exported position.
  llvm::SmallVector<unsigned, 16> Position;
  /// For each operand of the current instruction, its number in the text.
  llvm::SmallVector<uint16_t, 16> NumberInText;
  llvm::BitVector AllocatableUnits;
  FoldTrial Folds;
};

} // namespace warpalloc

#endif
