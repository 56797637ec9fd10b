# Configuration of the lit tests. Run by scripts/test.sh, or by hand:
#   /usr/lib/llvm-22/bin/lit -v llvm-tests
# WARPALLOC_PLUGIN names another plugin than target/release/libwarpalloc.so,
# WARPALLOC_PRELOAD libraries that LLVM's tools must preload for it.
import os
import shutil
import subprocess

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
llvm = "/usr/lib/llvm-22/bin"
plugin = os.environ.get(
    "WARPALLOC_PLUGIN", os.path.join(root, "target/release/libwarpalloc.so")
)
venv = os.path.join(root, ".venv/bin")
preload = os.environ.get("WARPALLOC_PRELOAD")
with_preload = "env LD_PRELOAD=%s " % preload if preload else ""

config.name = "warpalloc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".mir", ".c", ".cpp", ".test", ".cu"]
config.excludes = ["Inputs", "Output"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(root, "target/lit")
config.environment["PATH"] = os.pathsep.join([llvm, venv, os.environ["PATH"]])
config.environment.pop("WARPALLOC_LOG", None)
for name in ["ASAN_OPTIONS", "UBSAN_OPTIONS"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]

if not os.path.exists(plugin):
    lit_config.fatal("%s is missing: run cargo build --release" % plugin)

for name, command in [
    ("warpalloc", plugin),
    ("warpalloc_cli", os.path.join(root, "target/release/warpalloc")),
    ("llc", with_preload + "llc-22 -load=" + plugin),
    ("llc_plugin", with_preload + "llc-22 -load-pass-plugin=" + plugin),
    ("llc_stock", "llc-22"),
    ("opt", with_preload + "opt-22 -load-pass-plugin=" + plugin),
    ("clang", with_preload + "clang-22 -fplugin=" + plugin),
    ("clang_stock", "clang-22"),
    ("cuda", "--cuda-path=" + os.path.join(root, ".venv/cuda")),
    ("ptxas", os.path.join(venv, "ptxas")),  # sm_75 and later
    ("ptxas12", os.path.join(venv, "ptxas-12")),  # sm_50 and later
    ("nvdisasm", os.path.join(venv, "nvdisasm")),
    ("FileCheck", os.path.join(llvm, "FileCheck")),
    ("not", os.path.join(llvm, "not")),
    ("examples", os.path.join(root, "examples")),
    # link and run what was compiled for another processor
    ("cc_aarch64", "aarch64-linux-gnu-gcc -static"),
    ("cc_riscv64", "riscv64-linux-gnu-gcc -static"),
    ("run_aarch64", "qemu-aarch64"),
    ("run_riscv64", "qemu-riscv64"),
]:
    config.substitutions.append((r"%" + name + r"\b", command))

# Features, for REQUIRES lines: NVPTX, X86, AArch64, RISCV as llc has them; ptxas; fatbinary;
# run-x86_64, run-aarch64, run-riscv64 where programs can be linked and run.
version = subprocess.run(["llc-22", "--version"], capture_output=True, text=True).stdout
targets = {line.split()[0] for line in version.splitlines() if " - " in line}
for target, feature in [
    ("nvptx64", "NVPTX"),
    ("x86-64", "X86"),
    ("aarch64", "AArch64"),
    ("riscv64", "RISCV"),
]:
    if target in targets:
        config.available_features.add(feature)
if os.path.exists(os.path.join(venv, "ptxas")):
    config.available_features.add("ptxas")
if os.path.exists(os.path.join(root, ".venv/cuda/bin/fatbinary")):
    config.available_features.add("fatbinary")
if os.uname().machine == "x86_64":
    config.available_features.add("run-x86_64")
for arch in ["aarch64", "riscv64"]:
    if shutil.which("qemu-" + arch) and shutil.which(arch + "-linux-gnu-gcc"):
        config.available_features.add("run-" + arch)
