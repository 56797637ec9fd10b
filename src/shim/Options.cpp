//===- Options.cpp - The command line -------------------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Registration.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include <cstdlib>
#include <mutex>
#include <string>

using namespace llvm;

static cl::OptionCategory WarpallocCategory("Warpalloc");

/// It has an effect without the allocator, too.
static cl::OptionCategory
    PreparationCategory("Warpalloc, before code generation");

static cl::opt<cl::boolOrDefault> Prepare(
    "warpalloc-prepare", cl::cat(PreparationCategory),
    cl::desc("Prepare modules for NVPTX before code generation (default: where "
             "the allocator has a budget and may choose who spills)"));

static cl::opt<unsigned>
    PressureLimit("nvptx-regalloc-pressure-limit", cl::cat(WarpallocCategory),
                  cl::desc("Use at most this many 32-bit registers a thread"));

static cl::opt<std::string> OccupancyTarget(
    "nvptx-regalloc-occupancy-target", cl::cat(WarpallocCategory),
    cl::ValueOptional, cl::value_desc("percent"),
    cl::desc("Leave registers for this many of an SM's warps (75 if no value "
             "is given)"));

static cl::opt<double> CoalescingFactor(
    "nvptx-regalloc-coalescing-factor", cl::cat(WarpallocCategory),
    cl::init(1.0),
    cl::desc("Weight on degrees in the conservative coalescing test"));

static cl::opt<unsigned> SpillLimit(
    "spill-limit", cl::cat(WarpallocCategory),
    cl::desc("Give up with an error after this many spilled values"));

static cl::opt<bool>
    PrintStatistics("print-regalloc-stats", cl::cat(WarpallocCategory),
                    cl::init(false),
                    cl::desc("Print a line about each function on stderr"));

static cl::opt<bool>
    HandOff("warpalloc-hand-off", cl::cat(WarpallocCategory), cl::init(true),
            cl::desc("Write a budget that was asked for as .maxnreg of "
                     "kernels, for ptxas"));

static cl::opt<std::string>
    DumpDirectory("warpalloc-dump", cl::cat(WarpallocCategory),
                  cl::value_desc("directory"),
                  cl::desc("Write each function as the allocator sees it"));

static cl::opt<std::string>
    Profile("warpalloc-profile", cl::cat(WarpallocCategory),
            cl::value_desc("auto|ptxas|cicc"),
            cl::desc("Settings that belong together (default auto)"));

static cl::opt<std::string>
    Select("warpalloc-select", cl::cat(WarpallocCategory),
           cl::value_desc("graph|fatpoint"),
           cl::desc("How registers are given (default: the profile's)"));

static cl::opt<std::string> Order(
    "warpalloc-order", cl::cat(WarpallocCategory),
    cl::value_desc("lists|degrees"),
    cl::desc("Order in which registers are given: by the six lists, or by "
             "degree and spill cost (default: the profile's)"));

static cl::opt<std::string>
    Enable("warpalloc-enable", cl::cat(WarpallocCategory),
           cl::value_desc("pass,..."),
           cl::desc("Run these optional passes, or follow these rules about "
                    "merging, which the profile leaves out"));

static cl::opt<std::string>
    Disable("warpalloc-disable", cl::cat(WarpallocCategory),
            cl::value_desc("pass,..."),
            cl::desc("Leave out these optional passes of the allocator, or "
                     "these rules about merging"));

static cl::list<std::string>
    Knobs("warpalloc-knob", cl::cat(WarpallocCategory), cl::CommaSeparated,
          cl::value_desc("name=value,..."),
          cl::desc("Set knobs of the allocator; 'help' lists them"),
          cl::callback([](const std::string &Setting) {
            if (Setting != "help")
              return;
            warpalloc_print_knobs();
            exit(0);
          }));

static cl::opt<std::string>
    SpillSpace("warpalloc-spill-space", cl::cat(WarpallocCategory),
               cl::value_desc("local|shared"),
               cl::desc("Where spill slots of NVPTX kernels lie (default "
                        "local)"));

static cl::opt<std::string>
    Spills("warpalloc-spills", cl::cat(WarpallocCategory),
           cl::value_desc("auto|here|ptxas"),
           cl::desc("Who spills what does not fit into an NVPTX function's "
                    "budget (default auto)"));

static cl::opt<std::string>
    Choices("warpalloc-choices", cl::cat(WarpallocCategory),
            cl::value_desc("file"),
            cl::desc("Options of single functions, as 'warpalloc tune' writes "
                     "them"));

static cl::opt<bool> PrintHashes(
    "warpalloc-print-hashes", cl::cat(WarpallocCategory), cl::init(false),
    cl::desc("Print the hash of each function's code on stderr, by which a "
             "choices file knows it"));

static cl::opt<std::string>
    PlantPanic("warpalloc-plant-panic", cl::cat(WarpallocCategory), cl::Hidden,
               cl::value_desc("function"),
               cl::desc("For tests: panic in this function"));

static cl::opt<unsigned>
    PlantFault("warpalloc-plant-fault", cl::cat(WarpallocCategory), cl::Hidden,
               cl::value_desc("seed"),
               cl::desc("For tests: make the allocation wrong"));

static cl::opt<std::string>
    PlantFunction("warpalloc-plant-function", cl::cat(WarpallocCategory),
                  cl::Hidden, cl::value_desc("function"),
                  cl::desc("For tests: only in this function"));

static cl::opt<bool> RefuseFolds(
    "warpalloc-refuse-folds", cl::cat(WarpallocCategory), cl::Hidden,
    cl::desc("For tests: as if the target folded nothing after all"));

static cl::opt<unsigned>
    ClassLimit("warpalloc-class-limit", cl::cat(WarpallocCategory), cl::Hidden,
               cl::desc("For tests: use so many registers of each class"));

template <typename OptionType> static OptionType *findOption(StringRef Name) {
  auto &Known = cl::getRegisteredOptions();
  auto Found = Known.find(Name);
  return Found == Known.end() ? nullptr
                              : static_cast<OptionType *>(Found->second);
}

/// LLVM's own flag, which its allocators share. It is given if it occurs; there
/// is no way to its storage that does not depend on LLVM's private headers.
static bool isVerifyGiven() {
  auto *Option = findOption<cl::opt<bool, true>>("verify-regalloc");
  return Option && Option->getNumOccurrences() > 0 && Option->getValue();
}

std::vector<StringRef> warpalloc::getGivenOptions() {
  std::vector<StringRef> Given;
  for (auto &[Name, Option] : cl::getRegisteredOptions())
    if (Option->getNumOccurrences() &&
        is_contained(Option->Categories, &WarpallocCategory))
      Given.push_back(Name);
  sort(Given);
  return Given;
}

/// As if it was on the command line. It may be there already.
void warpalloc::requestOptimizedAllocation() {
  static std::mutex Mutex;
  std::lock_guard<std::mutex> Lock(Mutex);
  auto *Option = findOption<cl::Option>("optimize-regalloc");
  if (Option && !Option->getNumOccurrences())
    Option->addOccurrence(0, Option->ArgStr, "true");
}

static int64_t valueIfGiven(const cl::opt<unsigned> &Option) {
  return Option.getNumOccurrences() ? int64_t(Option.getValue()) : -1;
}

WarpallocOptions warpalloc::getOptions(std::string &JoinedKnobs) {
  JoinedKnobs = join(Knobs, ",");
  WarpallocOptions Options;
  Options.pressure_limit = valueIfGiven(PressureLimit);
  Options.occupancy_target =
      OccupancyTarget.getNumOccurrences() ? OccupancyTarget.c_str() : nullptr;
  Options.coalescing_factor = CoalescingFactor;
  Options.coalescing_factor_given = CoalescingFactor.getNumOccurrences() > 0;
  Options.spill_limit = valueIfGiven(SpillLimit);
  Options.class_limit = valueIfGiven(ClassLimit);
  Options.prepare = Prepare == cl::boolOrDefault::BOU_UNSET
                        ? -1
                        : Prepare == cl::boolOrDefault::BOU_TRUE;
  Options.is_selected = isSelected();
  Options.verify = isVerifyGiven();
  Options.print_statistics = PrintStatistics;
  Options.hand_off = HandOff;
  Options.dump_directory = DumpDirectory.c_str();
  Options.profile = Profile.c_str();
  Options.select = Select.c_str();
  Options.order = Order.c_str();
  Options.enable = Enable.c_str();
  Options.disable = Disable.c_str();
  Options.knobs = JoinedKnobs.c_str();
  Options.spill_space = SpillSpace.c_str();
  Options.spills = Spills.c_str();
  Options.panic_at = PlantPanic.c_str();
  Options.plant_fault = valueIfGiven(PlantFault);
  Options.plant_function = PlantFunction.c_str();
  return Options;
}

const char *warpalloc::getChoicesFile() {
  return Choices.getNumOccurrences() ? Choices.c_str() : nullptr;
}

bool warpalloc::printsHashes() { return PrintHashes; }

bool warpalloc::isPreparationRequested() {
  return Prepare == cl::boolOrDefault::BOU_TRUE;
}

bool warpalloc::refusesFolds() { return RefuseFolds; }

bool warpalloc::isSelected() {
  using Selector = cl::opt<RegisterRegAlloc::FunctionPassCtor, false,
                           RegisterPassParser<RegisterRegAlloc>>;
  auto *Option = findOption<Selector>("regalloc");
  return Option && Option->getValue() == createAllocator;
}
