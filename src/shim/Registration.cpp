//===- Registration.cpp - What LLVM learns of us --------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Registration.h"
#include "IrPasses.h"
#include "Options.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>
#include <string>

using namespace llvm;

static RegisterRegAlloc Allocator("warpalloc",
                                  "register allocation by Warpalloc",
                                  warpalloc::createAllocator);

/// Options that do nothing are told of, once.
static void warnOfUnusedOptions() {
  static std::once_flag Flag;
  std::call_once(Flag, [] {
    for (StringRef Name : warpalloc::getGivenOptions()) {
      if (Name == "warpalloc-print-hashes")
        continue;
      // Passes over IR look at these.
      if (warpalloc::isPreparationRequested() &&
          (Name == "warpalloc-knob" || Name == "warpalloc-spill-space" ||
           Name == "warpalloc-choices"))
        continue;
      WithColor::warning() << "warpalloc: -" << Name
                           << " has no effect without -regalloc=warpalloc\n";
    }
  });
}

/// What the command line says that only NVPTX understands; empty if nothing.
static std::string causeToExpectNvptx(const TargetMachine &TM) {
  for (StringRef Name : warpalloc::getGivenOptions())
    if (Name == "nvptx-regalloc-pressure-limit" ||
        Name == "nvptx-regalloc-occupancy-target")
      return "-" + Name.str();
  if (TM.getTargetCPU().starts_with("sm_"))
    return "-mcpu=" + TM.getTargetCPU().str();
  return "";
}

/// LLVM's pipeline has a place for our allocator, except without optimisation.
static void addToCpuPipeline(TargetMachine &TM, PassManagerBase &Passes,
                             TargetPassConfig *Config) {
  std::string Cause = causeToExpectNvptx(TM);
  if (!Cause.empty())
    Passes.add(warpalloc::createTripleCheck(std::move(Cause)));
  warpalloc::requestOptimizedAllocation();
  if (!Config->getOptimizeRegAlloc())
    reportFatalUsageError("warpalloc: -regalloc=warpalloc contradicts "
                          "-optimize-regalloc=false");
}

/// NVPTX has no allocator to replace. Ours runs where one would: after
/// scheduling, or without optimisation after two-address rewriting, the last
/// pass before frame lowering.
static void addToGpuPipeline(TargetPassConfig *Config) {
  char &Predecessor = Config->getOptimizeRegAlloc()
                          ? StackSlotColoringID
                          : TwoAddressInstructionPassID;
  Config->insertPass(&Predecessor, warpalloc::createGpuAllocator());

  // The pass has no public identifier.
  const PassInfo *FrameLowering = PassRegistry::getPassRegistry()->getPassInfo(
      StringRef("nvptx-prolog-epilog"));
  if (FrameLowering)
    Config->insertPass(FrameLowering->getTypeInfo(),
                       warpalloc::createGpuFrameFixup());
  else
    report_fatal_error("warpalloc: NVPTX has no pass 'nvptx-prolog-epilog'",
                       /*gen_crash_diag=*/false);
}

static void addToPipeline(TargetMachine &TM, PassManagerBase &Passes,
                          TargetPassConfig *Config) {
  bool IsUsed = warpalloc::isSelected() || warpalloc::isPreparationRequested();
  if ((IsUsed && warpalloc::getChoicesFile()) || warpalloc::printsHashes())
    Passes.add(warpalloc::createChooser(TM));
  if (IsUsed && TM.getTargetTriple().isNVPTX())
    Passes.add(warpalloc::createIrPreparation(TM));
  if (!warpalloc::isSelected())
    warnOfUnusedOptions();
  else if (TM.getTargetTriple().isNVPTX())
    addToGpuPipeline(Config);
  else
    addToCpuPipeline(TM, Passes, Config);
}

static RegisterTargetPassConfigCallback Callback(addToPipeline);
