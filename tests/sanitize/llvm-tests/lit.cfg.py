# The FileCheck suite once more, with the plugin that has AddressSanitizer and
# UndefinedBehaviorSanitizer: sanitized.py says how. Parameter: every, as one of so many files.
import os
import subprocess
import sys

root = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
sys.path[:0] = [root + "/tests", root + "/tests/sanitize/llvm-tests"]
import cases
import sanitized

# Cargo knows what is out of date. lit would take a failure for a reason to leave these out.
built = subprocess.run([root + "/scripts/build_sanitized.sh"], capture_output=True, text=True)
if built.returncode:
    lit_config.fatal("the plugin cannot be built with sanitizers: " + built.stderr[-2000:])
with open(root + "/target/sanitize/plugin") as file:
    os.environ["WARPALLOC_PLUGIN"] = file.read().strip()
with open(root + "/target/sanitize/preload") as file:
    os.environ["WARPALLOC_PRELOAD"] = file.read().strip()
lit_config.load_config(config, root + "/llvm-tests/lit.cfg.py")
del os.environ["WARPALLOC_PLUGIN"], os.environ["WARPALLOC_PRELOAD"]

config.name = "sanitize"
config.test_exec_root = root + "/target/tests/sanitize-llvm-tests"
config.test_format = sanitized.Sanitized(int(cases.parameter(lit_config, "every", 8, 1)))
