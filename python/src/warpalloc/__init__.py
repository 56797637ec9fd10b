"""Warpalloc in Python: `warpalloc.triton` puts it into Triton's compiler.

The package brings the commands `warpalloc-llc` and `warpalloc` and the plugin. `command`
finds and runs them, `literals` makes LLVM 22 read the IR of newer LLVM.
"""

__version__ = "0.1.0"
