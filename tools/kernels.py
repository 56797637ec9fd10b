"""Folders of kernels: each holds those of one source as LLVM bitcode or IR.

A file LLC_FLAGS beside the kernels has more options for llc, a file ARCH the only SM they
are for."""

import pathlib
import sys

from toolchain import compile_examples, llc

# Sources as the documents name them, by their folders.
SOURCES = {
    "cub": "CUB",
    "cudasamples": "CUDA samples",
    "cufinufft": "cuFINUFFT",
    "cutlass": "CUTLASS",
    "hecbench": "HeCBench",
    "lightgbm": "LightGBM",
    "llamacpp": "llama.cpp",
    "triton": "Triton",
    "triton90": "Triton for Hopper",
    "triton100": "Triton for Blackwell",
}


def title(name):
    """How the documents name the source of a folder of this name."""
    return SOURCES.get(name, "examples" if name.startswith("sm_") else name)


class Folder:
    """The kernels of one source, for an SM unless the folder says another."""

    def __init__(self, path, sm):
        arch, flags = path / "ARCH", path / "LLC_FLAGS"
        self.name = path.name
        self.sm = arch.read_text().strip().removeprefix("sm_") if arch.exists() else str(sm)
        self.flags = flags.read_text().split() if flags.exists() else []
        self.files = sorted([*path.glob("*.bc"), *path.glob("*.ll")])
        if not self.files:
            sys.exit(f"{path}: no kernels")

    def llc(self, *more):
        """The command of llc for these kernels."""
        return llc(self.sm, *self.flags, *more)


def add_arguments(parser, sm="90"):
    """The folders and the SM on a command line."""
    parser.add_argument("--sm", default=sm, help=f"the SM that code is made for ({sm})")
    parser.add_argument("directories", nargs="*", type=pathlib.Path, metavar="DIRECTORY",
                        help="kernels of one source, .bc or .ll; none: the examples")


def folders(options):
    """The folders that a command line names, or the examples."""
    paths = [path.resolve() for path in options.directories] or [compile_examples(options.sm)]
    return [Folder(path, options.sm) for path in paths]
