//===- Tables.cpp - A function as flat tables -----------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tables.h"
#include "Allocation.h"
#include "GpuCalls.h"
#include "GpuLaunch.h"
#include "GpuOrder.h"
#include "GpuText.h"
#include "GpuUniform.h"
#include "Source.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/LiveRegMatrix.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/StackMaps.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/CodeGen/VirtRegMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/IR/Statepoint.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace warpalloc;

void FunctionTables::build(MachineFunction &Function, const Analyses &Given) {
  MF = &Function;
  Known = &Given;
  TRI = MF->getSubtarget().getRegisterInfo();
  TII = MF->getSubtarget().getInstrInfo();
  IsGpu = MF->getTarget().getTargetTriple().isNVPTX();
  SM = IsGpu ? getSmVersion(*MF) : 0;
  clear();
  Name = MF->getName().str();
  if (!IsGpu)
    Folds.start(*MF);
  addClasses();
  findAllocatableUnits();
  addBlocks();
  if (Known->Order)
    addDependences();
  finish();
}

void FunctionTables::clear() {
  Blocks.clear();
  Edges.clear();
  LiveIns.clear();
  Instructions.clear();
  Operands.clear();
  VirtualRegisters.clear();
  Hints.clear();
  Classes.clear();
  ClassOrder.clear();
  Masks.clear();
  Texts.clear();
  Dependences.clear();
  InstructionOf.clear();
  OperandOf.clear();
  ClassOf.clear();
  ClassNumber.clear();
  MaskNumber.clear();
  TextNumber.clear();
  CombinedMasks.clear();
}

/// The number of a class, which is listed when it is met first.
unsigned FunctionTables::classNumber(const TargetRegisterClass *RC) {
  auto [Entry, IsNew] = ClassNumber.try_emplace(RC, Classes.size());
  if (IsNew) {
    WarpallocClass Class;
    Class.name = TRI->getRegClassName(RC);
    Class.order_begin = ClassOrder.size();
    if (Known->Classes)
      for (MCPhysReg Phys : Known->Classes->getOrder(RC))
        ClassOrder.push_back(Phys);
    Class.order_end = ClassOrder.size();
    Class.spill_size = TRI->getSpillSize(*RC);
    Class.spill_alignment = TRI->getSpillAlign(*RC).value();
    Classes.push_back(Class);
    ClassOf.push_back(RC);
  }
  return Entry->second;
}

/// What is left of a class for an operand; none if that is fewer registers.
const TargetRegisterClass *
FunctionTables::unconstrained(const MachineOperand &Operand,
                              const TargetRegisterClass *RC) const {
  const TargetRegisterClass *Left =
      Operand.getParent()->getRegClassConstraintEffect(Operand.getOperandNo(),
                                                       RC, TII, TRI);
  auto Count = [&](const TargetRegisterClass *One) {
    return Known->Classes->getNumAllocatableRegs(One);
  };
  return Left && Count(Left) == Count(RC) ? Left : nullptr;
}

/// The largest class that a value could have but for some operands that only
/// read it, if there is a larger one.
const TargetRegisterClass *FunctionTables::superClass(Register Reg) const {
  const TargetRegisterClass *RC = MF->getRegInfo().getRegClass(Reg);
  const TargetRegisterClass *Super = TRI->getLargestLegalSuperClass(RC, *MF);
  if (Super == RC || TRI->getSpillSize(*Super) != TRI->getSpillSize(*RC) ||
      TRI->getSpillAlign(*Super) != TRI->getSpillAlign(*RC))
    return nullptr;
  bool IsConstrained = false;
  for (const MachineOperand &Operand :
       MF->getRegInfo().reg_nodbg_operands(Reg)) {
    if (const TargetRegisterClass *Left = unconstrained(Operand, Super))
      Super = Left;
    else if (Operand.isDef() || Operand.getParent()->isTerminator())
      return nullptr;
    else
      IsConstrained = true;
  }
  // A class's order may leave out registers that classes below it have.
  ArrayRef<MCPhysReg> Order = Known->Classes->getOrder(Super);
  bool HasAll = llvm::all_of(Known->Classes->getOrder(RC), [&](MCPhysReg Phys) {
    return is_contained(Order, Phys);
  });
  return IsConstrained && HasAll ? Super : nullptr;
}

/// Virtual registers and the classes they use.
void FunctionTables::addClasses() {
  const MachineRegisterInfo &MRI = MF->getRegInfo();
  for (unsigned I = 0, E = MRI.getNumVirtRegs(); I != E; ++I) {
    Register Reg = Register::index2VirtReg(I);
    WarpallocVirtualRegister Data = {WARPALLOC_NONE, WARPALLOC_NONE, 0, 0, 0};
    if (MRI.reg_nodbg_empty(Reg)) {
      VirtualRegisters.push_back(Data);
      continue;
    }
    const TargetRegisterClass *RC = MRI.getRegClass(Reg);
    Data.class_index = classNumber(RC);
    if (!IsGpu) {
      if (const TargetRegisterClass *Super = superClass(Reg))
        Data.super_class_index = classNumber(Super);
      if (!Known->Intervals->getInterval(Reg).isSpillable() ||
          Known->Unspillable->contains(Reg))
        Data.flags |= WARPALLOC_UNSPILLABLE;
      addHints(Reg, Data);
    }
    VirtualRegisters.push_back(Data);
  }
}

void FunctionTables::addHints(Register Reg, WarpallocVirtualRegister &Data) {
  ArrayRef<MCPhysReg> Order =
      Known->Classes->getOrder(MF->getRegInfo().getRegClass(Reg));
  SmallVector<MCPhysReg, 16> Found;
  TRI->getRegAllocationHints(Reg, Order, Found, *MF, Known->Map, Known->Matrix);
  Data.hint_begin = Hints.size();
  Hints.insert(Hints.end(), Found.begin(), Found.end());
  Data.hint_end = Hints.size();
}

/// Physical registers outside every class in use are nobody's concern: flags,
/// the stack pointer, vector registers in integer code.
void FunctionTables::findAllocatableUnits() {
  AllocatableUnits.clear();
  AllocatableUnits.resize(TRI->getNumRegUnits());
  for (uint32_t Phys : ClassOrder)
    for (MCRegUnit Unit : TRI->regunits(MCRegister::from(Phys)))
      AllocatableUnits.set(static_cast<unsigned>(Unit));
}

bool FunctionTables::isAllocatable(MCRegister Reg) const {
  return llvm::any_of(TRI->regunits(Reg), [&](MCRegUnit Unit) {
    return AllocatableUnits.test(static_cast<unsigned>(Unit));
  });
}

void FunctionTables::addBlocks() {
  // LLVM's block numbers have gaps and do not follow the layout.
  BlockNumber.assign(MF->getNumBlockIDs(), WARPALLOC_NONE);
  unsigned Next = 0;
  for (const MachineBasicBlock &Block : *MF)
    BlockNumber[Block.getNumber()] = Next++;
  for (MachineBasicBlock &Block : *MF)
    addBlock(Block);
}

/// Of two successors, the one taken where two integers or pointers that are not
/// constant are equal.
static uint32_t equalSuccessor(const MachineBasicBlock &Block) {
  const BasicBlock *IrBlock = Block.getBasicBlock();
  if (!IrBlock || Block.succ_size() != 2)
    return WARPALLOC_NONE;
  const auto *Branch = dyn_cast<BranchInst>(IrBlock->getTerminator());
  if (!Branch || !Branch->isConditional() || hasBranchWeightMD(*Branch))
    return WARPALLOC_NONE;
  const auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
  // What is compared with a constant is often an error code, which says that
  // all is well.
  if (!Compare || !Compare->isEquality() ||
      isa<Constant>(Compare->getOperand(1)))
    return WARPALLOC_NONE;
  unsigned Equal = Compare->getPredicate() == ICmpInst::ICMP_NE;
  const MachineBasicBlock *const *Successors = Block.succ_begin();
  for (unsigned First : {0, 1})
    if (Successors[First]->getBasicBlock() == Branch->getSuccessor(Equal) &&
        Successors[1 - First]->getBasicBlock() ==
            Branch->getSuccessor(1 - Equal))
      return First;
  return WARPALLOC_NONE;
}

void FunctionTables::addBlock(MachineBasicBlock &Block) {
  WarpallocBlock Data;
  Data.successor_begin = Edges.size();
  for (const MachineBasicBlock *Successor : Block.successors())
    Edges.push_back(BlockNumber[Successor->getNumber()]);
  Data.successor_end = Edges.size();

  // Elsewhere live-in lists are not kept before allocation.
  Data.live_in_begin = LiveIns.size();
  if (&Block == &MF->front() || Block.isEHPad())
    for (const auto &LiveIn : Block.liveins())
      if (isAllocatable(LiveIn.PhysReg))
        LiveIns.push_back(LiveIn.PhysReg);
  Data.live_in_end = LiveIns.size();

  Data.frequency = Known->Frequencies.getBlockFreqRelativeToEntryBlock(&Block);
  Data.loop_depth = Known->Loops.getLoopDepth(&Block);
  Data.equal_successor = IsGpu ? WARPALLOC_NONE : equalSuccessor(Block);
  Data.clobber_mask = WARPALLOC_NONE;
  if (const uint32_t *Mask = Block.getBeginClobberMask(TRI))
    Data.clobber_mask = maskNumber(Mask);
  Data.landing = Block.isEHPad() || Block.isInlineAsmBrIndirectTarget();
  Data.instruction_begin = Instructions.size();
  for (MachineInstr &Head : Block)
    if (!Head.isDebugOrPseudoInstr())
      addInstruction(Head);
  Data.instruction_end = Instructions.size();
  if (const uint32_t *Mask = Block.getEndClobberMask(TRI))
    if (Data.instruction_end != Data.instruction_begin)
      addMask(Mask);
  markLeavingCall(Block, Data.instruction_begin);
  Blocks.push_back(Data);
}

/// As LLVM's own allocators do, takes the last call for the one that throws.
void FunctionTables::markLeavingCall(const MachineBasicBlock &Block,
                                     unsigned Begin) {
  if (!Block.hasEHPadSuccessor())
    return;
  for (unsigned I = Instructions.size(); I-- != Begin;) {
    if (Instructions[I].flags & WARPALLOC_CALL) {
      Instructions[I].flags |= WARPALLOC_LEAVES;
      return;
    }
  }
}

/// Adds an instruction, or a bundle as one.
void FunctionTables::addInstruction(MachineInstr &Head) {
  WarpallocInstruction Data = {uint32_t(Operands.size()), 0, 0, WARPALLOC_NONE,
                               WARPALLOC_NONE};
  if (IsGpu && !Head.isBundled())
    Data.text = textNumber(Head);
  Instructions.push_back(Data);
  InstructionOf.push_back(&Head);
  addOperands(Head);
  for (auto I = std::next(Head.getIterator()),
            E = Head.getParent()->instr_end();
       I != E && I->isBundledWithPred(); ++I)
    addOperands(*I);

  unsigned Flags = 0;
  unsigned First = Data.operand_begin;
  if (!Head.isBundled() && (Head.isCopy() || Head.isSubregToReg())) {
    const MachineOperand *Source = &Head.getOperand(Head.isCopy() ? 1 : 2);
    if (Operands.size() - First >= 2 &&
        OperandOf[First] == &Head.getOperand(0) &&
        OperandOf[First + 1] == Source)
      Flags |= WARPALLOC_COPY;
    if (Head.isSubregToReg() && Flags) {
      Operands[First].sub_register = Head.getOperand(3).getImm();
      Operands[First].flags |= WARPALLOC_UNDEFINED;
    }
  }
  if (!IsGpu)
    markFoldable(Head, First);
  if (isRecord(Head))
    Flags |= WARPALLOC_RECORDS;
  if (Head.getOpcode() == TargetOpcode::STATEPOINT)
    markLiveThrough(Head, First);
  if (Head.isCall(MachineInstr::AnyInBundle))
    Flags |= WARPALLOC_CALL;
  if (Head.isTerminator(MachineInstr::AnyInBundle))
    Flags |= WARPALLOC_TERMINATOR;
  if (Head.isConvergent(MachineInstr::AnyInBundle))
    Flags |= WARPALLOC_CONVERGENT;
  if (!Head.isBundled() && isRepeatable(Head))
    Flags |= WARPALLOC_REMATERIALISABLE;
  if (Head.isInlineAsm())
    Flags |= WARPALLOC_INLINE_ASSEMBLY;
  if (Head.isImplicitDef())
    Flags |= WARPALLOC_IMPLICIT_DEFINITION;
  if (Head.getOpcode() == TargetOpcode::INLINEASM_BR)
    Flags |= WARPALLOC_LEAVES;
  if (Head.isPosition() || TII->isBasicBlockPrologue(Head))
    Flags |= WARPALLOC_LABEL;
  if (IsGpu)
    Flags |= Known->Uniform->flags(Head, SM);
  Instructions.back().flags = Flags;
  Instructions.back().operand_end = Operands.size();
}

/// Marks what of an instruction could be in memory: in a slot, or where it is
/// loaded from.
void FunctionTables::markFoldable(const MachineInstr &MI, unsigned First) {
  MutableArrayRef Own = MutableArrayRef(Operands).drop_front(First);
  for (WarpallocOperand &Operand : Own) {
    if (Operand.flags &
        (WARPALLOC_PHYSICAL | WARPALLOC_FOLDABLE | WARPALLOC_LOADABLE))
      continue;
    Register Reg = Register::index2VirtReg(Operand.register_);
    unsigned Found = 0;
    if (Folds.canFold(MI, Reg))
      Found |= WARPALLOC_FOLDABLE;
    if (const MachineInstr *Load = repeatableLoad(Reg);
        Load && Load != &MI && Folds.canLoad(MI, Reg, *Load))
      Found |= WARPALLOC_LOADABLE;
    for (WarpallocOperand &Other : Own)
      if (!(Other.flags & WARPALLOC_PHYSICAL) &&
          Other.register_ == Operand.register_)
        Other.flags |= Found;
  }
}

/// Marks what a statepoint records for deoptimisation, unless it says that the
/// callee is the one to read it: live intervals end at the call all the same.
void FunctionTables::markLiveThrough(MachineInstr &MI, unsigned First) {
  StatepointOpers Statepoint(&MI);
  if (Statepoint.getFlags() & uint64_t(StatepointFlags::DeoptLiveIn))
    return;
  unsigned Begin = Statepoint.getNumDeoptArgsIdx();
  unsigned End = Statepoint.getNumGCPtrIdx();
  for (unsigned I = First; I != Operands.size(); ++I) {
    const MachineOperand &Operand = *OperandOf[I];
    if (Operand.isUse() && Operand.getOperandNo() >= Begin &&
        Operand.getOperandNo() < End)
      Operands[I].flags |= WARPALLOC_LIVE_THROUGH;
  }
}

/// The only definition of a register, if it loads it from an address that needs
/// no other register, and can be repeated.
const MachineInstr *FunctionTables::repeatableLoad(Register Reg) const {
  const MachineOperand *Definition = MF->getRegInfo().getOneDef(Reg);
  if (!Definition || Definition->getSubReg())
    return nullptr;
  const MachineInstr &MI = *Definition->getParent();
  bool IsLoad = MI.canFoldAsLoad() && MI.mayLoad() && !MI.isBundled();
  bool ReadsValue = llvm::any_of(MI.all_uses(), [](const MachineOperand &Use) {
    return Use.getReg().isVirtual();
  });
  if (!IsLoad || ReadsValue || !TII->isReMaterializable(MI))
    return nullptr;
  return &MI;
}

/// The NVPTX back end does not say which instructions can be repeated; there,
/// all of those can that have no effect and read no memory that could change.
/// They are repeated only where they have been executed: an address that could
/// be loaded from once can be again.
bool FunctionTables::isRepeatable(const MachineInstr &MI) const {
  if (!IsGpu)
    return TII->isReMaterializable(MI);
  return MI.getNumExplicitDefs() == 1 && !MI.isInlineAsm() &&
         !MI.isImplicitDef() && !MI.hasUnmodeledSideEffects() &&
         !MI.isNotDuplicable() && !MI.mayStore() &&
         (!MI.mayLoad() || MI.isDereferenceableInvariantLoad() ||
          GpuUniform::isConstantLoad(MI));
}

void FunctionTables::addOperands(MachineInstr &Member) {
  unsigned First = Operands.size();
  Position.assign(Member.getNumOperands(), WARPALLOC_NONE);
  if (IsGpu)
    GpuText::numberOperands(Member, NumberInText);
  for (MachineOperand &Operand : Member.operands()) {
    if (Operand.isRegMask())
      addMask(Operand.getRegMask());
    if (!isExported(Operand))
      continue;
    Position[Operand.getOperandNo()] = Operands.size();
    addOperand(Operand);
  }
  if (Operands.size() != First)
    addTies(Member, Instructions.back().operand_begin);
}

bool FunctionTables::isExported(const MachineOperand &Operand) const {
  if (!Operand.isReg() || !Operand.getReg() || Operand.isDebug())
    return false;
  if (Operand.isInternalRead())
    return false;
  if (Operand.getReg().isVirtual())
    return true;
  return !IsGpu && isAllocatable(Operand.getReg());
}

void FunctionTables::addOperand(MachineOperand &Operand) {
  Register Reg = Operand.getReg();
  WarpallocOperand Data = {Reg.id(), 0, 0, 0xffff, 0xffff};
  if (IsGpu)
    Data.text_number = NumberInText[Operand.getOperandNo()];
  if (Reg.isVirtual()) {
    Data.register_ = Reg.virtRegIndex();
    Data.sub_register = Operand.getSubReg();
    uint32_t Super = VirtualRegisters[Data.register_].super_class_index;
    if (Super != WARPALLOC_NONE && !unconstrained(Operand, ClassOf[Super]))
      Data.flags |= WARPALLOC_CONSTRAINED;
  } else {
    Data.flags |= WARPALLOC_PHYSICAL;
  }
  if (Operand.isDef())
    Data.flags |= WARPALLOC_DEFINITION;
  if (Operand.isDef() && Operand.isEarlyClobber())
    Data.flags |= WARPALLOC_EARLY_CLOBBER;
  if (Operand.isUndef())
    Data.flags |= WARPALLOC_UNDEFINED;
  if (Operand.isDef() && Operand.isDead())
    Data.flags |= WARPALLOC_DEAD;
  if (Operand.isImplicit())
    Data.flags |= WARPALLOC_IMPLICIT;
  // What a terminator defines cannot be stored behind it.
  if (Reg.isVirtual() && Operand.isDef() && Operand.getParent()->isTerminator())
    VirtualRegisters[Data.register_].flags |= WARPALLOC_UNSPILLABLE;
  Operands.push_back(Data);
  OperandOf.push_back(&Operand);
}

/// A tied use names its definition by the position among what is exported of
/// the whole bundle, which starts at `FirstNumber`.
void FunctionTables::addTies(MachineInstr &Member, unsigned FirstNumber) {
  for (const MachineOperand &Operand : Member.uses()) {
    if (!Operand.isReg() || !Operand.isTied() || !Operand.isUse())
      continue;
    unsigned Use = Operand.getOperandNo();
    unsigned Definition = Member.findTiedOperandIdx(Use);
    if (Position[Use] != WARPALLOC_NONE &&
        Position[Definition] != WARPALLOC_NONE)
      // Too far away is for Rust to refuse, whatever the distance.
      Operands[Position[Use]].tied_to =
          std::min<unsigned>(Position[Definition] - FirstNumber, 0xfffe);
  }
}

/// Masks are static tables of the target: equal pointers are equal masks.
void FunctionTables::addMask(const uint32_t *Mask) {
  WarpallocInstruction &Instruction = Instructions.back();
  if (Instruction.clobber_mask != WARPALLOC_NONE) {
    const uint32_t *Other = Masks[Instruction.clobber_mask];
    CombinedMasks.emplace_back();
    for (unsigned I = 0, E = MachineOperand::getRegMaskSize(TRI->getNumRegs());
         I != E; ++I)
      CombinedMasks.back().push_back(Mask[I] & Other[I]);
    Mask = CombinedMasks.back().data();
  }
  Instruction.clobber_mask = maskNumber(Mask);
}

unsigned FunctionTables::maskNumber(const uint32_t *Mask) {
  auto [Entry, IsNew] = MaskNumber.try_emplace(Mask, Masks.size());
  if (IsNew)
    Masks.push_back(Mask);
  return Entry->second;
}

/// The same text is exported once: LLVM has one copy of each assembly string,
/// and so has the printer of what it prints.
unsigned FunctionTables::textNumber(const MachineInstr &MI) {
  const char *Text = Known->Text->get(MI);
  if (!Text)
    return WARPALLOC_NONE;
  auto [Entry, IsNew] = TextNumber.try_emplace(Text, Texts.size());
  if (IsNew)
    Texts.push_back(Text);
  return Entry->second;
}

void FunctionTables::addDependences() {
  DenseMap<const MachineInstr *, unsigned> Number;
  for (MachineInstr *MI : InstructionOf)
    Number.try_emplace(MI, Number.size());
  for (MachineBasicBlock &Block : *MF)
    Known->Order->find(
        Block, [&](const MachineInstr &First, const MachineInstr &Second) {
          Dependences.push_back({Number.at(&First), Number.at(&Second)});
        });
}

/// Points the table at the arrays, now that they no longer grow.
void FunctionTables::finish() {
  Table.name = Name.c_str();
  Table.is_kernel = IsGpu && isKernel(MF->getFunction());
  Attributes.read(MF->getFunction());
  Table.attributes = Attributes.data();
  Table.attribute_count = Attributes.size();
  Table.is_profiled = MF->getFunction().hasProfileData();
  Table.launch = {};
  if (IsGpu)
    Table.launch = getLaunch(MF->getFunction());
  Table.call_graph =
      Known->Calls ? Known->Calls->get(MF->getFunction()) : nullptr;
  Table.launch.has_linked_calls =
      Known->Calls && Known->Calls->hasLinkedCalls(MF->getFunction());
  Table.blocks = Blocks.data();
  Table.block_count = Blocks.size();
  Table.edges = Edges.data();
  Table.edge_count = Edges.size();
  Table.live_ins = LiveIns.data();
  Table.live_in_count = LiveIns.size();
  Table.instructions = Instructions.data();
  Table.instruction_count = Instructions.size();
  Table.operands = Operands.data();
  Table.operand_count = Operands.size();
  Table.virtual_registers = VirtualRegisters.data();
  Table.virtual_register_count = VirtualRegisters.size();
  Table.hints = Hints.data();
  Table.hint_count = Hints.size();
  Table.classes = Classes.data();
  Table.class_count = Classes.size();
  Table.class_order = ClassOrder.data();
  Table.class_order_count = ClassOrder.size();
  Table.clobber_masks = Masks.data();
  Table.clobber_mask_count = Masks.size();
  Table.texts = Texts.data();
  Table.text_count = Texts.size();
  Table.may_reorder = Known->Order;
  Table.dependences = Dependences.data();
  Table.dependence_count = Dependences.size();
  Table.source = nullptr;
  if (Known->Source)
    Table.source = Known->Source->build(InstructionOf, VirtualRegisters.size());
}
