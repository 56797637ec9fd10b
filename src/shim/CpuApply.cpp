//===- CpuApply.cpp - Applies an allocation through VirtRegMap ------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuApply.h"
#include "Allocation.h"
#include "llvm/CodeGen/LiveDebugVariables.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/LiveRegMatrix.h"
#include "llvm/CodeGen/LiveStacks.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetFrameLowering.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/CodeGen/VirtRegMap.h"

using namespace llvm;
using namespace warpalloc;

CpuApplier::CpuApplier(MachineFunction &MF, const FunctionTables &Tables,
                       const WarpallocResult &Result, CpuState State)
    : EditApplier(MF, Tables, Result), State(State),
      TII(*MF.getSubtarget().getInstrInfo()),
      TRI(*MF.getSubtarget().getRegisterInfo()), MRI(MF.getRegInfo()) {}

bool CpuApplier::spill() {
  if (!Result.edit_count)
    return true;
  // Slots first: they take over the intervals as they are before the edits.
  for (unsigned I = 0, E = ownCount(); I != E; ++I)
    if (Result.locations[I].kind == WARPALLOC_LOCATION_SLOT)
      enterSlot(Register::index2VirtReg(I), Result.locations[I].index);

  createRegisters(nullptr);
  State.Map.grow();
  for (auto [Reg, Data] :
       llvm::zip(Created, ArrayRef(Result.created, Result.created_count)))
    State.Map.setIsSplitFromReg(
        Reg, State.Map.getOriginal(Register::index2VirtReg(Data.origin)));

  unsigned Known = MRI.getNumVirtRegs();
  applyEdits();
  NewRegisters.assign(Created.begin(), Created.end());
  for (unsigned I = Known, E = MRI.getNumVirtRegs(); I != E; ++I) {
    NewRegisters.push_back(Register::index2VirtReg(I));
    TargetMadeRegisters = true;
  }
  State.Map.grow();

  if (CopyRefused) {
    reportError(MF,
                "internal error: a copy between different slots is deleted");
    return false;
  }
  for (Register Reg : Changed)
    if (!leaveIntervals(Reg))
      return false;
  for (Register Reg : NewRegisters)
    if (!MRI.reg_nodbg_empty(Reg))
      computeInterval(Reg);
  for (auto [From, To] : Joined)
    if (MRI.reg_nodbg_empty(From) && !isInSlot(From))
      State.DebugVariables.splitRegister(From, To, State.Intervals);
  describeCreatedRegisters();
  State.Matrix.invalidateVirtRegs();
  return true;
}

/// The value lives in memory from now on. The slot is live where the value was;
/// StackSlotColoring and the debugger's locations rely on that.
void CpuApplier::enterSlot(Register Reg, unsigned Slot) {
  const TargetRegisterClass &RC = *MRI.getRegClass(Reg);
  int Index = frameIndex(Slot, RC);
  State.Map.assignVirt2StackSlot(Reg, Index);
  addToSlot(Index, RC, Reg);
  Changed.insert(Reg);
}

/// The slot is live where a register of the function is, as it was.
void CpuApplier::addToSlot(int Index, const TargetRegisterClass &RC,
                           Register Reg) {
  // Slots may be shared between classes without a common subclass, of which
  // asking for the interval with the class would make a null one.
  LiveInterval &Live = State.Stacks.hasInterval(Index)
                           ? State.Stacks.getInterval(Index)
                           : State.Stacks.getOrCreateInterval(Index, &RC);
  if (!Live.hasAtLeastOneValue())
    Live.getNextValue(SlotIndex(), State.Stacks.getVNInfoAllocator());
  Live.MergeSegmentsInAsValue(State.Intervals.getInterval(Reg),
                              Live.getValNumInfo(0));
}

/// The place of a slot in which a register is. Where it is the slot of a part
/// of a value that is elsewhere otherwise, the value has not entered it.
int CpuApplier::frameIndexFor(unsigned Slot, Register Value,
                              const TargetRegisterClass &RC) {
  int Index = frameIndex(Slot, RC);
  if (!isOwn(Value)) {
    const Register *Known = llvm::lower_bound(Created, Value);
    // One made for an access that does not fold is in what the access names.
    if (Known == Created.end() || *Known != Value)
      return Index;
    unsigned Origin = Result.created[Known - Created.begin()].origin;
    Value = Register::index2VirtReg(Origin);
  }
  bool HasEntered =
      isInSlot(Value) && Result.locations[Value.virtRegIndex()].index == Slot;
  if (!HasEntered && Partly.insert({Slot, Value}).second)
    addToSlot(Index, RC, Value);
  return Index;
}

/// Targets put scalable vectors into a part of the frame of their own, as soon
/// as they are stored: such an object must not hold anything else.
static bool isScalable(const TargetRegisterInfo &TRI,
                       const TargetRegisterClass &RC) {
  auto Type = TRI.legalclasstypes_begin(RC);
  return *Type != MVT::Other && MVT(*Type).isScalableVT();
}

int CpuApplier::frameIndex(unsigned Slot, const TargetRegisterClass &RC) {
  auto [Entry, IsNew] =
      FrameIndices.try_emplace({Slot, isScalable(TRI, RC)}, 0);
  if (IsNew) {
    const WarpallocSlot &Data = Result.slots[Slot];
    Align Alignment(Data.alignment);
    Align StackAlignment =
        MF.getSubtarget().getFrameLowering()->getStackAlign();
    if (Alignment > StackAlignment && !TRI.canRealignStack(MF))
      Alignment = StackAlignment;
    Entry->second =
        MF.getFrameInfo().CreateSpillStackObject(Data.size, Alignment);
  }
  return Entry->second;
}

/// Recomputes the interval of a register that lost operands, or removes it.
bool CpuApplier::leaveIntervals(Register Reg) {
  State.Intervals.removeInterval(Reg);
  if (MRI.reg_nodbg_empty(Reg))
    return true;
  if (isInSlot(Reg)) {
    reportError(MF, "internal error: %" + Twine(Reg.virtRegIndex()) +
                        " lives in memory but is still named");
    return false;
  }
  computeInterval(Reg);
  return true;
}

/// A register whose parts no longer reach one another, because a copy went,
/// becomes several; they stay in one physical register.
void CpuApplier::computeInterval(Register Reg) {
  MRI.clearKillFlags(Reg);
  LiveInterval &Live = State.Intervals.createAndComputeVirtRegInterval(Reg);
  SmallVector<LiveInterval *, 4> Components;
  State.Intervals.splitSeparateComponents(Live, Components);
  if (Components.empty())
    return;
  State.Map.grow();
  for (const LiveInterval *Component : Components)
    Separated.emplace_back(Component->reg(), Reg);
}

void CpuApplier::store(Iterator Where, ArrayRef<Register> Values,
                       unsigned Slot) {
  assert(Values.size() == 1 && "no vectors of slots on a CPU");
  Register Value = Values.front();
  const TargetRegisterClass *RC = MRI.getRegClass(Value);
  AccessedSlot = frameIndexFor(Slot, Value, *RC);
  TII.storeRegToStackSlot(*Block, Where, Value, /*isKill=*/false, *AccessedSlot,
                          RC, Register());
}

void CpuApplier::reload(Iterator Where, ArrayRef<Register> Values,
                        unsigned Slot) {
  assert(Values.size() == 1 && "no vectors of slots on a CPU");
  Register Value = Values.front();
  const TargetRegisterClass *RC = MRI.getRegClass(Value);
  AccessedSlot = frameIndexFor(Slot, Value, *RC);
  TII.loadRegFromStackSlot(*Block, Where, Value, *AccessedSlot, RC, Register());
}

void CpuApplier::widen(Iterator, Register, Register) {
  llvm_unreachable("no class of a CPU is spilled through another");
}

void CpuApplier::narrow(Iterator, Register, Register) {
  llvm_unreachable("no class of a CPU is spilled through another");
}

void CpuApplier::inserted(Iterator First, Iterator Last) {
  State.Intervals.InsertMachineInstrRangeInMaps(First, Last);
  // A value may come back into its own register, of which no operand changes.
  for (const MachineInstr &MI : make_range(First, Last))
    for (const MachineOperand &Operand : MI.operands())
      if (Operand.isReg() && Operand.getReg().isVirtual() &&
          isOwn(Operand.getReg()))
        Changed.insert(Operand.getReg());
  // The code of a copy may stand on its other side from where the value was
  // live: the slot is live between the two.
  if (!AccessedSlot)
    return;
  SlotIndex Begin = State.Intervals.getInstructionIndex(*First);
  SlotIndex End = State.Intervals.getInstructionIndex(*std::prev(Last));
  SlotIndex Middle = State.Intervals.getInstructionIndex(*Anchor);
  LiveInterval &Live = State.Stacks.getInterval(*AccessedSlot);
  Live.addSegment({std::min(Begin, Middle), std::max(End, Middle).getDeadSlot(),
                   Live.getValNumInfo(0)});
  AccessedSlot.reset();
}

void CpuApplier::renamed(Register From, Register To) {
  if (isOwn(From))
    Changed.insert(From);
  if (isOwn(To))
    Changed.insert(To);
  if (isOwn(From) && isOwn(To))
    Joined.insert({From, To});
}

bool CpuApplier::isInSlot(Register Reg) const {
  return isOwn(Reg) &&
         Result.locations[Reg.virtRegIndex()].kind == WARPALLOC_LOCATION_SLOT;
}

/// A copy between two names of a register stays: VirtRegRewriter removes it.
/// One of a register to itself goes, and so does one within a slot, of which
/// nothing is left that could name its registers.
void CpuApplier::deleteCopy(MachineInstr &Copy) {
  // SUBREG_TO_REG within a register becomes nothing after allocation.
  if (!Copy.isCopy())
    return;
  Register To = Copy.getOperand(0).getReg();
  Register From = Copy.getOperand(1).getReg();
  if (!To.isVirtual())
    return;
  if (To == From) {
    // Implicit operands keep the instruction alive, as a KILL.
    if (!Copy.isFullCopy() || Copy.getNumOperands() != 2)
      return;
    State.Intervals.RemoveMachineInstrFromMaps(Copy);
    Copy.eraseFromParent();
    return;
  }
  if (!isInSlot(To))
    return;
  if (!Copy.isFullCopy() || !From.isVirtual() || !isInSlot(From) ||
      Result.locations[To.virtRegIndex()].index !=
          Result.locations[From.virtRegIndex()].index) {
    CopyRefused = true;
    return;
  }
  State.Intervals.RemoveMachineInstrFromMaps(Copy);
  Copy.eraseFromParent();
}

void CpuApplier::deleteDefinition(MachineInstr &Definition) {
  Changed.insert(Definition.getOperand(0).getReg());
  // It may also set flags that nobody reads.
  SlotIndex At = State.Intervals.getInstructionIndex(Definition).getRegSlot();
  for (const MachineOperand &Operand : Definition.all_defs())
    if (Operand.getReg().isPhysical())
      State.Intervals.removePhysRegDefAt(Operand.getReg().asMCReg(), At);
  State.Intervals.RemoveMachineInstrFromMaps(Definition);
  Definition.eraseFromParent();
}

/// Where a value was loaded or is rematerialised, the debugger finds it.
void CpuApplier::describeCreatedRegisters() {
  SmallMapVector<Register, SmallVector<Register, 4>, 8> Parts;
  for (auto [Reg, Data] :
       llvm::zip(Created, ArrayRef(Result.created, Result.created_count)))
    if (State.Intervals.hasInterval(Reg))
      Parts[Register::index2VirtReg(Data.origin)].push_back(Reg);
  for (auto [Part, Whole] : Separated) {
    auto Known = llvm::find(Created, Whole);
    if (Known != Created.end()) {
      unsigned Origin = Result.created[Known - Created.begin()].origin;
      Parts[Register::index2VirtReg(Origin)].push_back(Part);
    }
  }
  for (auto &[Reg, Names] : Parts)
    State.DebugVariables.splitRegister(Reg, Names, State.Intervals);
}

bool CpuApplier::assign() {
  for (unsigned I = 0, E = Result.location_count; I != E; ++I)
    if (!assign(registerOf(I), Result.locations[I]))
      return false;
  DenseMap<Register, unsigned> Locations;
  for (unsigned I = 0, E = Separated.empty() ? 0 : Result.location_count;
       I != E; ++I)
    Locations[registerOf(I)] = I;
  // Assigning may separate more.
  for (size_t I = 0; I != Separated.size(); ++I) {
    auto [Part, Whole] = Separated[I];
    unsigned Location = Locations.lookup(Whole);
    Locations[Part] = Location;
    if (!assign(Part, Result.locations[Location]))
      return false;
  }
  return true;
}

/// Whether no other value is in the register where this one lives. LLVM's
/// coalescer leaves a range too long where it deletes a use that nothing needs
/// of a value that has others; ranges that are in the way are rematerialised.
bool CpuApplier::isFree(MCRegister Phys, Register Reg) {
  if (!State.Matrix.checkInterference(State.Intervals.getInterval(Reg), Phys))
    return true;
  recomputeInterval(Reg);
  SmallSetVector<Register, 4> Others;
  for (MCRegUnit Unit : TRI.regunits(Phys))
    for (const LiveInterval *Other :
         State.Matrix.query(State.Intervals.getInterval(Reg), Unit)
             .interferingVRegs())
      Others.insert(Other->reg());
  for (Register Other : Others) {
    MCRegister Taken = State.Map.getPhys(Other);
    State.Matrix.unassign(State.Intervals.getInterval(Other));
    recomputeInterval(Other);
    State.Matrix.assign(State.Intervals.getInterval(Other), Taken);
  }
  return !State.Matrix.checkInterference(State.Intervals.getInterval(Reg),
                                         Phys);
}

void CpuApplier::recomputeInterval(Register Reg) {
  State.Intervals.removeInterval(Reg);
  computeInterval(Reg);
  State.Matrix.invalidateVirtRegs();
}

bool CpuApplier::assign(Register Reg, const WarpallocLocation &Location) {
  if (MRI.reg_nodbg_empty(Reg))
    return true;
  if (Location.kind != WARPALLOC_LOCATION_REGISTER) {
    reportError(MF, "internal error: %" + Twine(Reg.virtRegIndex()) +
                        " has no register");
    return false;
  }
  MCRegister Phys = MCRegister::from(Location.index);
  if (!isFree(Phys, Reg)) {
    reportError(MF, "internal error: register " + Twine(TRI.getName(Phys)) +
                        " is not free for %" + Twine(Reg.virtRegIndex()));
    return false;
  }
  State.Matrix.assign(State.Intervals.getInterval(Reg), Phys);
  return true;
}
