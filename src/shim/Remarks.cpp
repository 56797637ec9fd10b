//===- Remarks.cpp - Optimization remarks ---------------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "Tables.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Remarks/RemarkStreamer.h"

using namespace llvm;
using namespace warpalloc;

static constexpr char PassName[] = "warpalloc";

bool warpalloc::wantsRemarks(const MachineFunction &MF) {
  LLVMContext &Context = MF.getFunction().getContext();
  remarks::RemarkStreamer *Written = Context.getMainRemarkStreamer();
  return (Written && Written->matchesFilter(PassName)) ||
         Context.getDiagHandlerPtr()->isAnyRemarkEnabled(PassName);
}

template <typename RemarkKind>
static void emit(MachineOptimizationRemarkEmitter &Emitter, StringRef Name,
                 const DiagnosticLocation &Location,
                 const MachineBasicBlock &Block,
                 ArrayRef<WarpallocArgument> Arguments) {
  RemarkKind Remark(PassName, Name, Location, &Block);
  for (const WarpallocArgument &One : Arguments) {
    if (*One.key)
      Remark << DiagnosticInfoOptimizationBase::Argument(One.key, One.value);
    else
      Remark << StringRef(One.value);
  }
  Emitter.emit(Remark);
}

void warpalloc::emitRemarks(MachineFunction &MF, const FunctionTables &Tables,
                            const WarpallocResult &Result,
                            MachineBlockFrequencyInfo &Frequencies) {
  LLVMContext &Context = MF.getFunction().getContext();
  MachineOptimizationRemarkEmitter Emitter(
      MF, Context.getDiagnosticsHotnessRequested() ? &Frequencies : nullptr);
  ArrayRef Arguments(Result.arguments, Result.argument_count);
  for (const WarpallocRemark &One :
       ArrayRef(Result.remarks, Result.remark_count)) {
    DiagnosticLocation Location = MF.getFunction().getSubprogram();
    const MachineBasicBlock *Block = &MF.front();
    if (One.instruction != WARPALLOC_NONE) {
      const MachineInstr &MI = Tables.instruction(One.instruction);
      Block = MI.getParent();
      if (MI.getDebugLoc() && MI.getDebugLoc().getLine())
        Location = MI.getDebugLoc();
    }
    auto Parts = Arguments.slice(One.argument_begin,
                                 One.argument_end - One.argument_begin);
    if (One.is_missed)
      emit<MachineOptimizationRemarkMissed>(Emitter, One.name, Location, *Block,
                                            Parts);
    else
      emit<MachineOptimizationRemarkAnalysis>(Emitter, One.name, Location,
                                              *Block, Parts);
  }
}

char VariableNamesPass::ID = 0;

bool VariableNamesPass::runOnMachineFunction(MachineFunction &MF) {
  if (wantsRemarks(MF))
    Names.find(MF);
  return false;
}

static RegisterPass<VariableNamesPass>
    Registration("warpalloc-variable-names",
                 "names of variables for Warpalloc's remarks",
                 /*CFGOnly=*/true, /*is_analysis=*/true);
