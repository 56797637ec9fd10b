"""Processes that compile with Inductor for the stand-in of a GPU, and what they leave."""

import hashlib
import json
import os
import pathlib
import subprocess
import sys

import machine
from triton import knobs

import warpalloc.command

TESTS = pathlib.Path(__file__).parent
PACKAGE = TESTS.parent
# What enables warpalloc, as the package's `.pth` file is read.
ON = {"WARPALLOC_TRITON": "1"}
# Those of `inductor_steps.py`.
MODELS = (
    "pointwise", "layer_norm", "group_norm", "sort", "bessel", "matmul", "matmul_f32",
    "written_by_hand",
)  # fmt: skip


class Cache:
    """Inductor's caches in a folder, and processes that use them."""

    def __init__(self, folder, command):
        self.folder, self.command = folder, command

    def run(self, sm, *steps, **variables):
        """What `inductor_steps.py` prints for an SM in a new process."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("WARPALLOC")}
        environment |= {
            "PYTHONPATH": os.pathsep.join(map(str, (TESTS / "gpu", PACKAGE / "src"))),
            "STAND_IN_LOADED": str(self.folder / "loaded"),
            "STAND_IN_SITE": str(PACKAGE),
            "STAND_IN_SM": str(sm),
            "TORCHINDUCTOR_CACHE_DIR": str(self.folder),
            # Inductor may compile a kernel twice at once, out of files of two names.
            "TRITON_DISABLE_LINE_INFO": "1",
            "WARPALLOC_COMMAND": self.command,
            **variables,
        }
        environment.pop("TRITON_CACHE_DIR", None)
        program = [sys.executable, TESTS / "inductor_steps.py", *steps]
        done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def kernels(self, line):
        """The cubins that a line says were loaded, each with its metadata."""
        files = self.folder.rglob("*.cubin")
        known = {hashlib.sha256(file.read_bytes()).hexdigest(): file for file in files}
        assert line["loaded"], line
        # Where only the contents are known, another setting's file may have the same.
        found = [pathlib.Path(path or known[digest]) for digest, path in line["loaded"]]
        return [(file, json.loads(file.with_suffix(".json").read_text())) for file in found]


def figures(cubin, command):
    """Registers, local accesses and stall cycles of a cubin."""
    registers = machine.registers_of(cubin, cubin.stem)
    nvdisasm = knobs.nvidia.nvdisasm.path
    return [registers, *warpalloc.command.local_accesses(command, nvdisasm, cubin)]
