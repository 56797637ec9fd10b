//===- llc.cpp - llc with the plugin in it, for NVPTX alone ---------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `warpalloc-llc` for machines without LLVM: LLVM's NVPTX back end, the plugin
// and this driver, linked once into one program. It takes llc's arguments, as
// far as they say something to NVPTX, and those of WARPALLOC_OPTIONS before
// them. The allocator of Warpalloc is chosen.
//
//===----------------------------------------------------------------------===//

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/CodeGen/CommandFlags.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/InitializePasses.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Target/TargetMachine.h"
#include <cstdlib>

using namespace llvm;

static codegen::RegisterCodeGenFlags CodeGenFlags;

static cl::opt<std::string> InputFile(cl::Positional, cl::init("-"),
                                      cl::desc("<LLVM IR or bitcode>"));
static cl::opt<std::string> OutputFile("o", cl::value_desc("file"),
                                       cl::desc("Where the PTX goes"));
static cl::opt<char> Level("O", cl::Prefix, cl::init('2'),
                           cl::desc("Optimization level: -O0 to -O3"));
static cl::opt<std::string> TripleName("mtriple",
                                       cl::desc("Instead of the module's"));
static cl::opt<bool> DisableVerify("disable-verify", cl::Hidden,
                                   cl::desc("Do not verify the module"));
static cl::opt<std::string> RemarksFile("pass-remarks-output",
                                        cl::value_desc("file"),
                                        cl::desc("Remarks as a file"));
static cl::opt<std::string> RemarksPasses("pass-remarks-filter",
                                          cl::value_desc("regex"),
                                          cl::desc("Only of these passes"));
static cl::opt<std::string> RemarksFormat("pass-remarks-format",
                                          cl::init("yaml"),
                                          cl::value_desc("format"),
                                          cl::desc("Format of the remarks"));

static int fail(const Twine &Message) {
  WithColor::error(errs(), "warpalloc-llc") << Message << '\n';
  return 1;
}

namespace {

/// Prints what LLVM says, and notes whether something was an error.
struct Diagnostics : DiagnosticHandler {
  bool HasErrors = false;

  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    DiagnosticHandler::handleDiagnostics(Info);
    HasErrors |= Info.getSeverity() == DS_Error;
    if (auto *Remark = dyn_cast<DiagnosticInfoOptimizationBase>(&Info))
      if (!Remark->isEnabled())
        return true;
    DiagnosticPrinterRawOStream Printer(errs());
    errs() << LLVMContext::getDiagnosticMessagePrefix(Info.getSeverity())
           << ": ";
    Info.print(Printer);
    errs() << '\n';
    return true;
  }
};

} // namespace

/// llc's way: where nothing is said, the name of the input decides.
static std::string outputName() {
  if (!OutputFile.empty())
    return OutputFile;
  if (InputFile == "-")
    return "-";
  StringRef Name = InputFile;
  if (!Name.consume_back(".bc"))
    Name.consume_back(".ll");
  return (Name + ".s").str();
}

static int compile(LLVMContext &Context, Diagnostics &Said,
                   const char *Program) {
  std::optional<CodeGenOptLevel> Optimization = CodeGenOpt::parseLevel(Level);
  if (!Optimization)
    return fail("-O" + Twine(Level) + " is no optimization level");

  std::unique_ptr<TargetMachine> Machine;
  std::string MachineError;
  auto SetLayout = [&](StringRef ModuleTriple,
                       StringRef) -> std::optional<std::string> {
    Triple Wanted(Triple::normalize(
        TripleName.empty() ? ModuleTriple : StringRef(TripleName)));
    const Target *Known =
        TargetRegistry::lookupTarget(codegen::getMArch(), Wanted, MachineError);
    if (!Known)
      return std::nullopt;
    TargetOptions Options = codegen::InitTargetOptionsFromCodeGenFlags(Wanted);
    Options.MCOptions.AsmVerbose = true;
    Options.MCOptions.PreserveAsmComments = true;
    Machine.reset(Known->createTargetMachine(
        Wanted, codegen::getCPUStr(), codegen::getFeaturesStr(), Options,
        codegen::getExplicitRelocModel(), codegen::getExplicitCodeModel(),
        *Optimization));
    return Machine->createDataLayout().getStringRepresentation();
  };
  SMDiagnostic Syntax;
  std::unique_ptr<Module> M =
      parseIRFile(InputFile, Syntax, Context, ParserCallbacks(SetLayout));
  if (!MachineError.empty())
    return fail(MachineError);
  if (!M) {
    Syntax.print(Program, WithColor::error(errs(), Program));
    return 1;
  }
  if (!TripleName.empty())
    M->setTargetTriple(Triple(Triple::normalize(TripleName)));
  if (!DisableVerify && verifyModule(*M, &errs()))
    return fail("the module is broken");
  codegen::setFunctionAttributes(codegen::getCPUStr(),
                                 codegen::getFeaturesStr(), *M);

  std::error_code Error;
  ToolOutputFile Output(outputName(), Error, sys::fs::OF_TextWithCRLF);
  if (Error)
    return fail(outputName() + ": " + Error.message());

  // What is written to the file is whole or nothing.
  SmallString<0> Text;
  raw_svector_ostream Stream(Text);
  legacy::PassManager Passes;
  Passes.add(new TargetLibraryInfoWrapperPass(
      TargetLibraryInfoImpl(Triple(M->getTargetTriple()))));
  if (Machine->addPassesToEmitFile(Passes, Stream, nullptr,
                                   codegen::getFileType(), DisableVerify))
    return fail("NVPTX has no such files: choose -filetype=asm");
  Passes.run(*M);
  if (Said.HasErrors)
    return 1;
  Output.os() << Text;
  Output.keep();
  return 0;
}

int main(int Count, char **Given) {
  InitLLVM Init(Count, Given);
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  PassRegistry &Registry = *PassRegistry::getPassRegistry();
  initializeCore(Registry);
  initializeCodeGen(Registry);
  initializeTransformUtils(Registry);
  initializeScalarOpts(Registry);

  // As llc's --version: scripts look for a target there.
  cl::AddExtraVersionPrinter(TargetRegistry::printRegisteredTargetsForVersion);

  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  SmallVector<const char *, 32> Arguments = {Given[0], "-regalloc=warpalloc"};
  if (const char *Options = std::getenv("WARPALLOC_OPTIONS"))
    cl::TokenizeGNUCommandLine(Options, Saver, Arguments);
  Arguments.append(Given + 1, Given + Count);
  cl::ParseCommandLineOptions(Arguments.size(), Arguments.data(),
                              "llc for NVPTX with the allocator Warpalloc\n");

  LLVMContext Context;
  auto Owned = std::make_unique<Diagnostics>();
  Diagnostics &Said = *Owned;
  Context.setDiagnosticHandler(std::move(Owned));
  Expected<LLVMRemarkFileHandle> Remarks = setupLLVMOptimizationRemarks(
      Context, RemarksFile, RemarksPasses, RemarksFormat, false);
  if (Error E = Remarks.takeError())
    return fail(toString(std::move(E)));
  int Status = compile(Context, Said, Given[0]);
  if (*Remarks && Status == 0)
    (*Remarks)->keep();
  return Status;
}
