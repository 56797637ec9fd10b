//===- parallel.cpp - Compiles modules in many threads --------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As a linker does with ThinLTO: every thread has contexts and target machines
// of its own, and the process has one command line and one plugin. Each file is
// compiled once alone; what the threads make of it must be the same bytes.
//
// usage: parallel -load=PLUGIN -regalloc=warpalloc [llc's options]
//                 -parallel-threads=N -repeat=N FILE...
//
// tests/threads/case.sh builds and runs it.
//
//===----------------------------------------------------------------------===//

#include "llvm/CodeGen/CommandFlags.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PluginLoader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <atomic>
#include <thread>
#include <vector>

using namespace llvm;

static codegen::RegisterCodeGenFlags Flags;

static cl::opt<std::string> TargetTriple("mtriple",
                                         cl::desc("Override the files'"));
static cl::opt<unsigned> Threads("parallel-threads", cl::init(4),
                                 cl::desc("Compile in so many threads"));
static cl::opt<unsigned> Repeat("repeat", cl::init(1),
                                cl::desc("Compile each file so many times"));
static cl::list<std::string> Files(cl::Positional, cl::desc("<files>"));

static void report(const DiagnosticInfo *Info, void *Message) {
  if (Info->getSeverity() != DS_Error)
    return;
  raw_string_ostream Stream(*static_cast<std::string *>(Message));
  DiagnosticPrinterRawOStream Printer(Stream);
  Stream << "error: ";
  Info->print(Printer);
}

/// The object file or assembly, or the error.
static std::string compile(MemoryBufferRef Input) {
  LLVMContext Context;
  std::string Error;
  Context.setDiagnosticHandlerCallBack(report, &Error);
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> M = parseIR(Input, Diagnostic, Context);
  if (!M)
    return "error: " + Diagnostic.getMessage().str();
  if (!TargetTriple.empty())
    M->setTargetTriple(Triple(TargetTriple));
  Expected<std::unique_ptr<TargetMachine>> Machine =
      codegen::createTargetMachineForTriple(M->getTargetTriple().str(),
                                            CodeGenOptLevel::Default);
  if (!Machine)
    return "error: " + toString(Machine.takeError());
  TargetMachine &TM = **Machine;
  M->setDataLayout(TM.createDataLayout());
  codegen::setFunctionAttributes(TM.getTargetCPU(), TM.getTargetFeatureString(),
                                 *M);
  SmallVector<char, 0> Output;
  raw_svector_ostream Stream(Output);
  legacy::PassManager Passes;
  if (TM.addPassesToEmitFile(Passes, Stream, nullptr, codegen::getFileType()))
    return "error: this target cannot write such a file";
  Passes.run(*M);
  return Error.empty() ? std::string(Output.begin(), Output.end()) : Error;
}

/// One line in one write: threads share stderr.
static void complain(const std::string &Message) {
  std::string Line = "parallel: " + Message + "\n";
  errs().write(Line.data(), Line.size());
}

int main(int ArgumentCount, char **Arguments) {
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  InitializeAllAsmParsers();
  cl::ParseCommandLineOptions(ArgumentCount, Arguments);

  std::vector<std::unique_ptr<MemoryBuffer>> Inputs;
  std::vector<std::string> Expected;
  for (const std::string &File : Files) {
    auto Buffer = MemoryBuffer::getFile(File);
    if (!Buffer) {
      complain(File + ": " + Buffer.getError().message());
      return 1;
    }
    Inputs.push_back(std::move(*Buffer));
    Expected.push_back(compile(*Inputs.back()));
    if (StringRef(Expected.back()).starts_with("error: ")) {
      complain(File + ": " + Expected.back());
      return 1;
    }
  }
  if (Inputs.empty()) {
    complain("no files");
    return 1;
  }

  const size_t Jobs = Inputs.size() * Repeat;
  std::atomic<size_t> Next = 0, Different = 0;
  auto Work = [&] {
    for (size_t Job; (Job = Next++) < Jobs;) {
      size_t File = Job % Inputs.size();
      if (compile(*Inputs[File]) == Expected[File])
        continue;
      ++Different;
      complain(Files[File] + ": not what one thread makes of it");
    }
  };
  std::vector<std::thread> Workers;
  for (unsigned I = 0; I != Threads; ++I)
    Workers.emplace_back(Work);
  for (std::thread &Worker : Workers)
    Worker.join();
  outs() << Jobs - Different << " passed, " << Different << " failed\n";
  return Different != 0;
}
