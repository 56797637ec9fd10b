"""Writes what kernels cost as Triton compiles them, by its own way and with warpalloc enabled.

usage: figures.py COMMAND FILE LIMIT...

For each of the kernels of `kernels.py`, each SM and each limit of registers (`maxnreg`; 0 for
none) one line of JSON goes to the file (Triton itself may print PTX): the registers, and the
accesses to local memory and stall cycles weighed by loops, of Triton's own machine code and of
the one that is chosen with `COMMAND`, the path of `warpalloc-llc`, enabled by default settings;
or what Triton says where it does not compile it.
"""

import json
import os
import pathlib
import sys
import tempfile

import kernels
import machine

import warpalloc.triton

SMS = (80, 90, 100)


def costs(kernel, command, folder):
    """Registers, local accesses and stall cycles."""
    cubin = folder / "kernel.cubin"
    cubin.write_bytes(kernel.asm["cubin"])
    return machine.costs(cubin, kernel.metadata.name, command)


def figures(name, sm, limit, command, folder):
    """One line's figures."""
    options = {"maxnreg": limit} if limit else {}
    found = {"kernel": name, "sm": sm, "limit": limit}
    try:
        own = kernels.compile_kernel(name, sm, **options)
    except Exception as error:  # Triton's, of any kind: there is no kernel to compare.
        return {**found, "refused": f"{type(error).__name__}: {error}".splitlines()[0]}
    warpalloc.triton.enable(command)
    chosen = kernels.compile_kernel(name, sm, **options)
    warpalloc.triton.disable()
    return {
        **found,
        "own": costs(own, command, folder),
        "chosen": costs(chosen, command, folder),
        "ours": chosen.metadata.warpalloc_used,
    }


def main(command, file, *limits):
    with tempfile.TemporaryDirectory() as folder, open(file, "w", encoding="utf-8") as out:
        os.environ["TRITON_CACHE_DIR"] = str(pathlib.Path(folder, "cache"))
        for limit in map(int, limits):
            for name, kernel in kernels.KERNELS.items():
                for sm in (sm for sm in SMS if sm >= kernel.least_sm):
                    line = figures(name, sm, limit, command, pathlib.Path(folder))
                    print(json.dumps(line), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
