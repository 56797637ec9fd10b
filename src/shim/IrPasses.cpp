//===- IrPasses.cpp - Passes over LLVM IR ---------------------------------===//
//
// Part of Warpalloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rust says what a name of ours stands for, as a text for LLVM's own parser,
// and what the passes that decide do. Here they get the types that LLVM's pass
// manager wants.
//
//===----------------------------------------------------------------------===//

#include "IrPasses.h"
#include "Options.h"
#include "warpalloc_abi.h"
#include "llvm-c/Types.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CBindingWrapping.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include <optional>
#include <string>

using namespace llvm;
using namespace warpalloc;

namespace {

/// A pass whose work is done in Rust. Each has a type of its own, by which
/// LLVM's instrumentation knows it.
template <typename Derived, WarpallocIrPass Pass>
struct RustPass : PassInfoMixin<Derived> {
  RustPass() = default;
  explicit RustPass(StringRef Parameter) : Parameter(Parameter) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &Manager) {
    IrAnalyses Analyses{
        M,
        Manager.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager(),
        Manager};
    std::string Knobs;
    WarpallocOptions Options = getOptions(Knobs);
    WarpallocIrOutcome Outcome = warpalloc_ir_run(Pass, wrap(&M), &Analyses,
                                                  &Options, Parameter.c_str());
    if (Outcome.error) {
      std::string Message = Outcome.error;
      warpalloc_ir_text_free(Outcome.error);
      reportFatalUsageError(Twine("warpalloc: '") + M.getModuleIdentifier() +
                            "': " + Derived::name() + ": " + Message);
    }
    return Outcome.changed ? PreservedAnalyses::none()
                           : PreservedAnalyses::all();
  }

private:
  /// What stands between < and > behind the name.
  std::string Parameter;
};

struct Exclude : RustPass<Exclude, WarpallocIrPass::Exclude> {
  static StringRef name() { return "WarpallocExcludePass"; }
  static bool isRequired() { return true; }
};

struct ExcludeOthers : RustPass<ExcludeOthers, WarpallocIrPass::ExcludeOthers> {
  static StringRef name() { return "WarpallocExcludeOthersPass"; }
  static bool isRequired() { return true; }
};

struct ChooseCalls : RustPass<ChooseCalls, WarpallocIrPass::ChooseCalls> {
  static StringRef name() { return "WarpallocChooseCallsPass"; }
};

struct Eligibility : RustPass<Eligibility, WarpallocIrPass::Eligibility> {
  static StringRef name() { return "WarpallocEligibilityPass"; }
};

struct SplitCopies : RustPass<SplitCopies, WarpallocIrPass::SplitCopies> {
  static StringRef name() { return "WarpallocSplitCopiesPass"; }
};

struct ChooseLoops : RustPass<ChooseLoops, WarpallocIrPass::ChooseLoops> {
  static StringRef name() { return "WarpallocChooseLoopsPass"; }
};

struct SelectElements
    : RustPass<SelectElements, WarpallocIrPass::SelectElements> {
  static StringRef name() { return "WarpallocSelectElementsPass"; }
};

struct Tables : RustPass<Tables, WarpallocIrPass::Tables> {
  static StringRef name() { return "WarpallocTablesPass"; }
};

struct GridConstants : RustPass<GridConstants, WarpallocIrPass::GridConstants> {
  static StringRef name() { return "WarpallocGridConstantsPass"; }
};

struct NarrowCompares
    : RustPass<NarrowCompares, WarpallocIrPass::NarrowCompares> {
  static StringRef name() { return "WarpallocNarrowComparesPass"; }
};

struct SinkAddresses : RustPass<SinkAddresses, WarpallocIrPass::SinkAddresses> {
  static StringRef name() { return "WarpallocSinkAddressesPass"; }
};

struct IfConvert : RustPass<IfConvert, WarpallocIrPass::IfConvert> {
  using RustPass::RustPass;
  static StringRef name() { return "WarpallocIfConvertPass"; }
};

struct Sink : RustPass<Sink, WarpallocIrPass::Sink> {
  using RustPass::RustPass;
  static StringRef name() { return "WarpallocSinkPass"; }
};

struct Hoist : RustPass<Hoist, WarpallocIrPass::Hoist> {
  using RustPass::RustPass;
  static StringRef name() { return "WarpallocHoistPass"; }
};

struct KeepOriginals : RustPass<KeepOriginals, WarpallocIrPass::KeepOriginals> {
  static StringRef name() { return "WarpallocKeepOriginalsPass"; }
};

struct Weigh : RustPass<Weigh, WarpallocIrPass::Weigh> {
  using RustPass::RustPass;
  static StringRef name() { return "WarpallocWeighPass"; }
};

/// It takes away what the others have left behind, also after a limit of
/// -opt-bisect-limit.
struct Finish : RustPass<Finish, WarpallocIrPass::Finish> {
  static StringRef name() { return "WarpallocFinishPass"; }
  static bool isRequired() { return true; }
};

/// Runs function passes over the functions that ours have changed, and leaves
/// all others as they are.
class OnChanged : public PassInfoMixin<OnChanged> {
public:
  explicit OnChanged(FunctionPassManager Passes) : Passes(std::move(Passes)) {}

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &Manager) {
    return F.hasFnAttribute("warpalloc-changed") ? Passes.run(F, Manager)
                                                 : PreservedAnalyses::all();
  }
  static StringRef name() { return "WarpallocOnChangedPass"; }
  static bool isRequired() { return true; }

private:
  FunctionPassManager Passes;
};

/// The same over those changed since such passes last ran, and over those
/// changed earlier in which Probe still finds something to do.
class OnNewlyChanged : public PassInfoMixin<OnNewlyChanged> {
public:
  OnNewlyChanged(FunctionPassManager Probe, FunctionPassManager Passes)
      : Probe(std::move(Probe)), Passes(std::move(Passes)) {}

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &Manager) {
    if (!F.hasFnAttribute("warpalloc-changed"))
      return PreservedAnalyses::all();
    if (!F.hasFnAttribute("warpalloc-newly-changed")) {
      PreservedAnalyses Kept = Probe.run(F, Manager);
      if (Kept.areAllPreserved())
        return Kept;
    }
    F.removeFnAttr("warpalloc-newly-changed");
    Passes.run(F, Manager);
    return PreservedAnalyses::none();
  }
  static StringRef name() { return "WarpallocOnNewlyChangedPass"; }
  static bool isRequired() { return true; }

private:
  FunctionPassManager Probe, Passes;
};

/// Runs module passes over modules for NVPTX, once each: the module flag says
/// that it has been done, and no longer does where another module is linked in.
class OnNvptx : public PassInfoMixin<OnNvptx> {
public:
  explicit OnNvptx(ModulePassManager Passes) : Passes(std::move(Passes)) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &Manager) {
    if (!M.getTargetTriple().isNVPTX() || M.getModuleFlag(Flag) ||
        !isAskedFor(M))
      return PreservedAnalyses::all();
    M.addModuleFlag(Module::Min, Flag, 1);
    Passes.run(M, Manager);
    return PreservedAnalyses::none();
  }
  static StringRef name() { return "WarpallocOnNvptxPass"; }
  static bool isRequired() { return true; }

private:
  static constexpr char Flag[] = "warpalloc-prepared";
  ModulePassManager Passes;
};

} // namespace

bool warpalloc::isAskedFor(Module &M) {
  std::string Knobs;
  WarpallocOptions Options = getOptions(Knobs);
  return warpalloc_ir_is_asked_for(wrap(&M), &Options);
}

/// What stands between the parentheses of a pipeline's text.
static std::string textOf(ArrayRef<PassBuilder::PipelineElement> Elements) {
  std::string Text;
  for (const PassBuilder::PipelineElement &One : Elements) {
    if (!Text.empty())
      Text += ',';
    Text += One.Name;
    if (!One.InnerPipeline.empty())
      Text += "(" + textOf(One.InnerPipeline) + ")";
  }
  return Text;
}

/// Passes that a text of ours, or in a text of ours, stands for.
template <typename ManagerType>
static ManagerType parse(PassBuilder &Builder, const std::string &Text) {
  ManagerType Manager;
  if (Error Failure = Builder.parsePassPipeline(Manager, Text))
    reportFatalUsageError(Twine("warpalloc: '") + Text +
                          "': " + toString(std::move(Failure)));
  return Manager;
}

/// What stands between < and > behind a pass's name, empty without them; none
/// if the name is another.
static std::optional<StringRef> parameterOf(StringRef Name, StringRef Pass) {
  if (!Name.consume_front(Pass))
    return std::nullopt;
  if (Name.empty() || (Name.consume_front("<") && Name.consume_back(">")))
    return Name;
  return std::nullopt;
}

static bool parseModulePass(PassBuilder &Builder, StringRef Name,
                            ModulePassManager &Manager) {
  if (Name == "warpalloc-exclude")
    Manager.addPass(Exclude());
  else if (Name == "warpalloc-exclude-others")
    Manager.addPass(ExcludeOthers());
  else if (Name == "warpalloc-choose-calls")
    Manager.addPass(ChooseCalls());
  else if (Name == "warpalloc-eligibility")
    Manager.addPass(Eligibility());
  else if (Name == "warpalloc-split-copies")
    Manager.addPass(SplitCopies());
  else if (Name == "warpalloc-choose-loops")
    Manager.addPass(ChooseLoops());
  else if (Name == "warpalloc-select-elements")
    Manager.addPass(SelectElements());
  else if (Name == "warpalloc-tables")
    Manager.addPass(Tables());
  else if (Name == "warpalloc-grid-constants")
    Manager.addPass(GridConstants());
  else if (Name == "warpalloc-narrow-compares")
    Manager.addPass(NarrowCompares());
  else if (Name == "warpalloc-sink-addresses")
    Manager.addPass(SinkAddresses());
  else if (std::optional<StringRef> Parameter =
               parameterOf(Name, "warpalloc-if-convert"))
    Manager.addPass(IfConvert(*Parameter));
  else if (std::optional<StringRef> Parameter =
               parameterOf(Name, "warpalloc-sink"))
    Manager.addPass(Sink(*Parameter));
  else if (std::optional<StringRef> Parameter =
               parameterOf(Name, "warpalloc-hoist"))
    Manager.addPass(Hoist(*Parameter));
  else if (Name == "warpalloc-keep-originals")
    Manager.addPass(KeepOriginals());
  else if (std::optional<StringRef> Parameter =
               parameterOf(Name, "warpalloc-weigh"))
    Manager.addPass(Weigh(*Parameter));
  else if (Name == "warpalloc-finish")
    Manager.addPass(Finish());
  else if (Name == "warpalloc-prepare")
    Manager.addPass(OnNvptx(parse<ModulePassManager>(
        Builder, "warpalloc-exclude-others,warpalloc")));
  else if (!parsePressurePrinter(Name, Manager)) {
    char *Message = nullptr;
    char *Text = warpalloc_ir_pipeline(Name.str().c_str(), &Message);
    if (Message) {
      std::string Cause = Message;
      warpalloc_ir_text_free(Message);
      reportFatalUsageError(Twine("warpalloc: ") + Cause);
    }
    if (!Text)
      return false;
    Manager.addPass(parse<ModulePassManager>(Builder, Text));
    warpalloc_ir_text_free(Text);
  }
  return true;
}

static bool
parseFunctionPass(PassBuilder &Builder, StringRef Name,
                  FunctionPassManager &Manager,
                  ArrayRef<PassBuilder::PipelineElement> InnerPipeline) {
  if (Name != "warpalloc-on-changed" && Name != "warpalloc-on-newly-changed")
    return false;
  auto Passes = parse<FunctionPassManager>(Builder, textOf(InnerPipeline));
  if (Name == "warpalloc-on-changed")
    Manager.addPass(OnChanged(std::move(Passes)));
  else
    Manager.addPass(
        OnNewlyChanged(parse<FunctionPassManager>(Builder, "sroa<modify-cfg>"),
                       std::move(Passes)));
  return true;
}

void warpalloc::registerIrPasses(PassBuilder &Builder) {
  if (PassInstrumentationCallbacks *Names =
          Builder.getPassInstrumentationCallbacks()) {
    Names->addClassToPassName(Exclude::name(), "warpalloc-exclude");
    Names->addClassToPassName(ExcludeOthers::name(),
                              "warpalloc-exclude-others");
    Names->addClassToPassName(ChooseCalls::name(), "warpalloc-choose-calls");
    Names->addClassToPassName(Eligibility::name(), "warpalloc-eligibility");
    Names->addClassToPassName(SplitCopies::name(), "warpalloc-split-copies");
    Names->addClassToPassName(ChooseLoops::name(), "warpalloc-choose-loops");
    Names->addClassToPassName(SelectElements::name(),
                              "warpalloc-select-elements");
    Names->addClassToPassName(Tables::name(), "warpalloc-tables");
    Names->addClassToPassName(GridConstants::name(),
                              "warpalloc-grid-constants");
    Names->addClassToPassName(NarrowCompares::name(),
                              "warpalloc-narrow-compares");
    Names->addClassToPassName(SinkAddresses::name(),
                              "warpalloc-sink-addresses");
    Names->addClassToPassName(IfConvert::name(), "warpalloc-if-convert");
    Names->addClassToPassName(Sink::name(), "warpalloc-sink");
    Names->addClassToPassName(Hoist::name(), "warpalloc-hoist");
    Names->addClassToPassName(KeepOriginals::name(),
                              "warpalloc-keep-originals");
    Names->addClassToPassName(Weigh::name(), "warpalloc-weigh");
    Names->addClassToPassName(Finish::name(), "warpalloc-finish");
    Names->addClassToPassName(OnChanged::name(), "warpalloc-on-changed");
    Names->addClassToPassName(OnNewlyChanged::name(),
                              "warpalloc-on-newly-changed");
    Names->addClassToPassName(OnNvptx::name(), "warpalloc-prepare");
  }
  Builder.registerPipelineParsingCallback(
      [&Builder](StringRef Name, ModulePassManager &Manager,
                 ArrayRef<PassBuilder::PipelineElement>) {
        return parseModulePass(Builder, Name, Manager);
      });
  Builder.registerPipelineParsingCallback(
      [&Builder](StringRef Name, FunctionPassManager &Manager,
                 ArrayRef<PassBuilder::PipelineElement> InnerPipeline) {
        return parseFunctionPass(Builder, Name, Manager, InnerPipeline);
      });
  Builder.registerOptimizerLastEPCallback([&Builder](ModulePassManager &Manager,
                                                     OptimizationLevel Level,
                                                     ThinOrFullLTOPhase) {
    // What a choices file says of functions is known where code is generated.
    if (Level != OptimizationLevel::O0 && !getChoicesFile() &&
        (isSelected() || isPreparationRequested()))
      Manager.addPass(parse<ModulePassManager>(Builder, "warpalloc-prepare"));
  });
}

/// For Rust, where LLVM looks for the plugin's entry.
extern "C" void warpalloc_register_ir_passes(void *Builder) {
  registerIrPasses(*static_cast<PassBuilder *>(Builder));
}
