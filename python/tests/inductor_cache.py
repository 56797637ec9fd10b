"""Processes that compile with Inductor for the stand-in of a GPU, and what they leave."""

import hashlib
import json
import os
import pathlib
import subprocess
import sys

import machine

TESTS = pathlib.Path(__file__).parent
PACKAGE = TESTS.parent
# What enables warpalloc, as the package's `.pth` file is read.
ON = {"WARPALLOC_TRITON": "1"}


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

    def figures(self, sm):
        """For each kernel of all models a line: the model, the SM, the kernel's name, registers,
        local accesses and stall cycles of Triton's own machine code and of the one that is
        chosen with warpalloc enabled, and whether that is ours."""
        both = self.run(sm, "every-model"), self.run(sm, "every-model", **ON)
        for lines in zip(*both, strict=True):
            for (before, _), (after, metadata) in zip(*map(self.kernels, lines), strict=True):
                own, chosen = (
                    machine.costs(file, file.stem, self.command) for file in (before, after)
                )
                yield {
                    "model": lines[0]["model"],
                    "sm": sm,
                    "kernel": metadata["name"],
                    "own": own,
                    "chosen": chosen,
                    "ours": metadata.get("warpalloc_used", False),
                }
