//===- Gpu.h - NVPTX particulars --------------------------------*- C++ -*-===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's NVPTX back end installs no headers. Its classes, opcodes and frame
// registers are found by name, once.
//
//===----------------------------------------------------------------------===//

#ifndef WARPALLOC_SHIM_GPU_H
#define WARPALLOC_SHIM_GPU_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/Register.h"
#include <memory>
#include <optional>

namespace llvm {
class MachineFunction;
class MachineRegisterInfo;
class TargetInstrInfo;
class TargetRegisterClass;
class TargetRegisterInfo;
} // namespace llvm

namespace warpalloc {

/// An access to a stack object in the local space: which operand is what.
struct LocalAccess {
  unsigned Space;
  unsigned Base;
};

/// A place in a stack object, or behind an address in shared memory, with room
/// for so many bytes.
struct StackSlot {
  unsigned Bytes;
  int FrameIndex;
  unsigned Offset;
  /// The address, if it is in shared memory.
  llvm::Register Shared;
};

/// A bit of a 32-bit register.
struct PackedBit {
  llvm::Register Word;
  unsigned Number;
};

/// What the NVPTX back end calls things.
class GpuTarget {
public:
  explicit GpuTarget(const llvm::MachineFunction &MF);

  /// Whether the installed LLVM has everything that this file knows by name.
  /// If not, the name it lacks.
  llvm::StringRef missing() const { return Missing; }

  const llvm::TargetRegisterClass *class32() const { return Class32; }

  /// Whether the slot has the low half only of a 64-bit value.
  bool isHalf(const llvm::MachineRegisterInfo &MRI, llvm::Register Value,
              StackSlot Slot) const;

  /// Inserts a store to, or a load from, the stack. Several values of one class
  /// are side by side.
  void store(llvm::MachineBasicBlock &Block,
             llvm::MachineBasicBlock::iterator Where,
             llvm::ArrayRef<llvm::Register> Values, StackSlot Slot) const;
  void load(llvm::MachineBasicBlock &Block,
            llvm::MachineBasicBlock::iterator Where,
            llvm::ArrayRef<llvm::Register> Values, StackSlot Slot) const;

  /// Puts a predicate into a 32-bit register, all ones or zero, and back.
  void widen(llvm::MachineBasicBlock &Block,
             llvm::MachineBasicBlock::iterator Where, llvm::Register To,
             llvm::Register From) const;
  void narrow(llvm::MachineBasicBlock &Block,
              llvm::MachineBasicBlock::iterator Where, llvm::Register To,
              llvm::Register From) const;

  /// Puts a predicate into a bit, and gets it back. The scratch register is in
  /// the PTX alone: the hardware tests a bit without one.
  void pack(llvm::MachineBasicBlock &Block,
            llvm::MachineBasicBlock::iterator Where, PackedBit To,
            llvm::Register From) const;
  void unpack(llvm::MachineBasicBlock &Block,
              llvm::MachineBasicBlock::iterator Where, llvm::Register To,
              PackedBit From, llvm::Register Scratch) const;
  /// Puts zero into a new 32-bit register, at the begin of the block.
  llvm::Register loadZero(llvm::MachineBasicBlock &Block) const;

  /// Whether the instruction makes a local address of a generic one.
  bool isConversionToLocal(const llvm::MachineInstr &MI) const;
  /// The same for global addresses.
  bool isConversionToGlobal(const llvm::MachineInstr &MI) const;
  /// Whether the instruction adds an offset to an address: operands 1 and 2.
  bool isAddress(const llvm::MachineInstr &MI) const;
  /// Whether the instruction takes the address of a symbol: operand 1.
  bool isSymbolAddress(const llvm::MachineInstr &MI) const;

  /// The register with the local address of the frame, for the one with its
  /// generic address; none for any other register.
  llvm::MCRegister localFrameRegister(llvm::Register Generic) const;
  /// Puts the local address of the frame into a new 32-bit register, at the
  /// begin of the block.
  llvm::Register loadFrameAddress(llvm::MachineBasicBlock &Block) const;

  /// Inserts assembly of ours; in the text, $0 and so on are the results, then
  /// the sources.
  void insertAssembly(llvm::MachineBasicBlock &Block,
                      llvm::MachineBasicBlock::iterator Where,
                      llvm::StringRef Text,
                      llvm::ArrayRef<llvm::Register> Results,
                      llvm::ArrayRef<llvm::Register> Sources) const;

  /// The operands of a spill access, if the instruction can be one.
  std::optional<LocalAccess> getLocalAccess(const llvm::MachineInstr &MI) const;

private:
  /// How values of a class go to memory: one, two or four of them.
  struct Spill {
    unsigned Bits;
    unsigned Store[3];
    unsigned Load[3];
  };

  unsigned opcode(llvm::StringRef Name);
  const llvm::TargetRegisterClass *registerClass(llvm::StringRef Name);
  llvm::MCRegister physicalRegister(llvm::StringRef Name);

  const llvm::TargetInstrInfo &TII;
  const llvm::TargetRegisterInfo &TRI;
  llvm::StringRef Missing;
  const llvm::TargetRegisterClass *Class32 = nullptr;
  const llvm::TargetRegisterClass *Class64 = nullptr;
  const llvm::TargetRegisterClass *Class128 = nullptr;
  llvm::DenseMap<const llvm::TargetRegisterClass *, Spill> Spills;
  unsigned SplitQuad = 0, JoinQuad = 0, ToHalf = 0, FromHalf = 0;
  unsigned Select = 0, Compare = 0, And = 0, Move = 0, MoveFrameAddress = 0;
  unsigned ToLocal[2], ToGlobal[2], Address[2], SymbolAddress[2];
  llvm::MCRegister Frame[2], LocalFrame[2];
};

/// The targets met, as the search for names takes a while.
class GpuTargetCache {
public:
  const GpuTarget &get(const llvm::MachineFunction &MF);

private:
  llvm::DenseMap<const llvm::TargetInstrInfo *, std::unique_ptr<GpuTarget>>
      Known;
};

} // namespace warpalloc

#endif
