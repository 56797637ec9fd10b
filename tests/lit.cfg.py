# Configuration of the suites that execute what the allocator makes. Each folder is a suite,
# each case a test: cases.py says how. Run by run.py (make test), or by hand:
#   /usr/lib/llvm-22/bin/lit -v tests/kernels --filter 'attention\.24'
# Longer runs: --param NAME=VALUE, or the variable NAME of the environment in upper case.
# docs/testing.md lists the parameters.
import os
import sys
import time

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(root, "tests"))
import cases  # noqa: F401, for the lit.local.cfg of the suites

config.name = "suites"
config.test_format = None
config.excludes = ["__pycache__"]
config.test_source_root = os.path.join(root, "tests")
config.test_exec_root = os.path.join(root, "target/tests")

llvm = "/usr/lib/llvm-22/bin"
passed = ["WARPALLOC_FLAGS", "HOME", "USER", "CARGO_HOME", "RUSTUP_HOME", "CARGO_TARGET_DIR"]
passed += ["CARGO_INCREMENTAL"]  # as scripts/test.sh builds: else cargo builds once more
for name in passed:
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["PATH"] = os.pathsep.join([llvm, os.environ["PATH"]])
plugin = os.environ.get("PLUGIN", os.path.join(root, "target/release/libwarpalloc.so"))
config.environment["PLUGIN"] = os.path.abspath(plugin)
if not os.path.exists(plugin):
    lit_config.fatal("%s is missing: run make build" % plugin)
# What this run of lit is known by: tests/common.sh, once.
config.environment["RUN"] = "%d-%d" % (os.getpid(), time.time_ns())
