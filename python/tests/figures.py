"""Writes what kernels cost as Triton compiles them, by its own way and with warpalloc enabled.

For each kernel, each SM and each limit of registers (`maxnreg`; 0 for none) one line of JSON
goes to the file (Triton itself may print PTX): the registers, and the accesses to local memory
and stall cycles weighed by loops, of Triton's own machine code and of the one that is chosen
with the command enabled by default settings; or what Triton says where it does not compile it.

The kernels are those of `kernels.py`, or of a file of Python's outside of this repository. Its
`KERNELS` has for each kernel

    (name, function, {argument: type}, {argument: constant}, {option of Triton: value})

where the function is one of `triton.jit`, types are written as Triton does ("*fp16", "i32"),
and each argument has either. Pointers and `i32` are compiled as multiples of 16, but for
arguments with the names that are given as unaligned.
"""

import argparse
import functools
import importlib.util
import json
import os
import pathlib
import tempfile

import kernels
import machine

import warpalloc.triton


def own_kernels():
    """How each kernel of `kernels.py` is compiled, with the least SM that it is for."""
    return {
        name: (functools.partial(kernels.compile_kernel, name), kernel.least_sm)
        for name, kernel in kernels.KERNELS.items()
    }


def kernels_of(file, unaligned=()):
    """The same of the kernels of a file."""
    spec = importlib.util.spec_from_file_location("kernels_of_a_file", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def compiling(function, types, constants, given):
        def compiled(sm, **options):
            return kernels.compile_function(
                function, types, constants, sm, {**given, **options}, unaligned
            )

        return compiled

    found = {name: (compiling(*kernel), 0) for name, *kernel in module.KERNELS}
    if len(found) != len(module.KERNELS):
        raise ValueError(f"{file}: two kernels have the same name")
    return found


def costs(kernel, command, folder):
    """Registers, local accesses and stall cycles."""
    cubin = folder / "kernel.cubin"
    cubin.write_bytes(kernel.asm["cubin"])
    return machine.costs(cubin, kernel.metadata.name, command)


def figures(compiled, sm, limit, command, folder):
    """What one line has besides the names."""
    options = {"maxnreg": limit} if limit else {}
    try:
        own = compiled(sm, **options)
    except Exception as error:  # Triton's, of any kind: there is no kernel to compare.
        return {"refused": f"{type(error).__name__}: {error}".splitlines()[0]}
    warpalloc.triton.enable(command)
    chosen = compiled(sm, **options)
    warpalloc.triton.disable()
    return {
        "own": costs(own, command, folder),
        "chosen": costs(chosen, command, folder),
        "ours": chosen.metadata.warpalloc_used,
    }


def words(text):
    """What stands between commas."""
    return text.split(",") if text else []


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("command", help="the path of warpalloc-llc")
    parser.add_argument("file", help="where the lines go")
    parser.add_argument("--limits", type=words, default=["0"])
    parser.add_argument("--sms", type=words, default=["80", "90", "100"])
    parser.add_argument("--kernels", help="a file with KERNELS of its own")
    parser.add_argument("--unaligned", type=words, default=[], help="names of arguments")
    options = parser.parse_args(arguments)
    measured = kernels_of(options.kernels, options.unaligned) if options.kernels else own_kernels()
    sms = list(map(int, options.sms))
    with (
        tempfile.TemporaryDirectory() as folder,
        open(options.file, "w", encoding="utf-8") as out,
    ):
        os.environ["TRITON_CACHE_DIR"] = str(pathlib.Path(folder, "cache"))
        for limit in map(int, options.limits):
            for name, (compiled, least_sm) in measured.items():
                for sm in (sm for sm in sms if sm >= least_sm):
                    line = {"kernel": name, "sm": sm, "limit": limit}
                    line |= figures(compiled, sm, limit, options.command, pathlib.Path(folder))
                    print(json.dumps(line), file=out, flush=True)


if __name__ == "__main__":
    main()
