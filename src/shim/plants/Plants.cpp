//===- Plants.cpp - Faults for the sanitizers to find ---------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sanitizer that reports nothing may not be at work. This file is compiled
// only when build.rs is told to sanitize; `-warpalloc-plant=FAULT` then commits
// one while the command line is read. tests/sanitize and
// tests/threads expect each to be reported.
//
//===----------------------------------------------------------------------===//

#include "warpalloc_abi.h"
#include "llvm/Support/CommandLine.h"
#include <string>
#include <thread>
#include <vector>

using namespace llvm;

/// Keeps the compiler from seeing through a fault.
static void observe(unsigned Value) {
  static volatile unsigned Seen;
  Seen = Value;
  (void)Seen;
}

/// A target of one register, in tables on the heap.
static WarpallocMachine *makeMachine(unsigned RegisterCount) {
  std::vector<const char *> Names = {"", "a"};
  std::vector<uint32_t> UnitBegin = {0, 0, 1}, Units = {0};
  std::vector<uint16_t> Parts = {0, 0};
  WarpallocTarget Target = {};
  Target.unit_count = 1;
  Target.register_count = RegisterCount;
  Target.register_names = Names.data();
  Target.unit_begin = UnitBegin.data();
  Target.units = Units.data();
  Target.sub_register_index_count = 1;
  Target.sub_registers = Parts.data();
  return warpalloc_machine_new(&Target);
}

/// Reads behind a table in C++.
static void overread() {
  std::vector<WarpallocOperand> Operands(3);
  const volatile WarpallocOperand *End = Operands.data() + Operands.size();
  observe(End->register_);
}

/// Lets Rust read behind a table.
static void overreadInRust() { warpalloc_machine_free(makeMachine(3)); }

/// Reads an object of Rust's that is gone.
static void useAfterFree() {
  WarpallocMachine *Machine = makeMachine(2);
  warpalloc_machine_free(Machine);
  WarpallocFunction Function = {};
  WarpallocOptions Options = {};
  // Bad options would be refused before the machine is looked at.
  Options.pressure_limit = Options.spill_limit = -1;
  warpalloc_result_free(
      warpalloc_allocate(Machine, &Function, &Options, /*module=*/nullptr));
}

/// Forgets an object of Rust's.
static void leak() { observe(makeMachine(2) != nullptr); }

/// Shifts by the width of the type.
static void shift() {
  volatile unsigned Width = 32;
  observe(1u << Width);
}

/// Writes from two threads without order.
static void race() {
  unsigned Shared = 0;
  auto Count = [&] {
    for (unsigned I = 0; I != 1000; ++I)
      ++*const_cast<volatile unsigned *>(&Shared);
  };
  std::thread Other(Count);
  Count();
  Other.join();
  observe(Shared);
}

static void plant(const std::string &Fault) {
  if (Fault == "overread")
    overread();
  else if (Fault == "overread-in-rust")
    overreadInRust();
  else if (Fault == "use-after-free")
    useAfterFree();
  else if (Fault == "leak")
    leak();
  else if (Fault == "shift")
    shift();
  else if (Fault == "race")
    race();
  else
    report_fatal_error("warpalloc: no such fault to plant",
                       /*gen_crash_diag=*/false);
}

static cl::opt<std::string>
    Plant("warpalloc-plant", cl::Hidden, cl::value_desc("fault"),
          cl::desc("For tests: commit this fault"),
          cl::callback([](const std::string &Fault) { plant(Fault); }));
