"""Triton's stages from LLVM IR to the cubin, with warpalloc between them.

Triton's own `make_ptx` is what runs, with another translation of the IR in it: so what it does
around that, the version and the target in the PTX, the name of the kernel, what it strips, is
Triton's of the very version.
"""

import dataclasses
import os
import pathlib
import re
import tempfile
import types
import warnings

from triton import knobs
from triton.backends.nvidia import compiler
from triton.runtime.errors import PTXASError

from . import command as commands
from .literals import UnreadableError, for_llvm_22

# Registers that a thread can have; launch bounds may leave fewer.
MOST_REGISTERS = 255
# Where something is changed in Triton's own way to PTX that llc has no option for.
UNKNOWN_VARIABLES = ("DISABLE_LLVM_OPT", "TRITON_ENABLE_ASAN")


class DeclinedError(Exception):
    """A kernel is left to Triton, and why."""


# What a kernel may fail of in our way.
FAILURES = (DeclinedError, UnreadableError, commands.CommandError, PTXASError)


@dataclasses.dataclass(frozen=True)
class Settings:
    """What `enable` has been given, and what is the same for the same code."""

    command: str
    options: tuple
    fingerprint: str


def add_stages(settings, backend, stages, options):
    """Replaces the stages to PTX and cubin by ones that try warpalloc where `options.warpalloc`
    does not forbid it."""
    choice = getattr(options, "warpalloc", None)
    if choice is False:
        return
    triton_ptx, triton_cubin = stages["ptx"], stages["cubin"]
    # The cubins that a comparison has made, by their PTX: the next stage needs one of them.
    made = {}

    def assembled(ptx, metadata):
        made[ptx] = triton_cubin(ptx, metadata)
        return made[ptx]

    def ptx(source, metadata):
        metadata["warpalloc_used"] = False
        own = own_cost = None
        if not choice:
            own = triton_ptx(source, metadata)
            assembled(own, metadata)
        try:
            if own is not None:
                own_cost = cost(settings, made[own])
                if own_cost[0] == 0:
                    return own
            make_ptx = with_translation(type(backend).make_ptx, translation(settings))
            ours = make_ptx(backend, source, metadata, options, backend.target.arch)
            machine_code = assembled(ours, metadata)
            if own is not None and not is_better(cost(settings, machine_code), own_cost):
                return own
        except FAILURES as failure:
            own = triton_ptx(source, metadata) if own is None else own
            said = f"warpalloc leaves {metadata['name']} to Triton: {failure}"
            warnings.warn(said, RuntimeWarning, stacklevel=2)
            return own
        metadata["warpalloc_used"] = True
        return ours

    def cubin(source, metadata):
        found = made.pop(source, None)
        made.clear()
        return found if found is not None else triton_cubin(source, metadata)

    stages["ptx"], stages["cubin"] = ptx, cubin


def is_better(ours, own):
    """Whether a kernel goes to local memory less and does not take longer otherwise."""
    return ours[0] < own[0] and ours[1] <= own[1]


def cost(settings, cubin):
    """Accesses to local memory and stall cycles of a cubin, weighed by loops."""
    try:
        nvdisasm = knobs.nvidia.nvdisasm.path
    except RuntimeError as error:
        raise DeclinedError(str(error)) from error
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "kernel.cubin"
        file.write_bytes(cubin)
        return commands.local_accesses(settings.command, nvdisasm, file)


def with_translation(make_ptx, translate):
    """Triton's `make_ptx` with another `llvm.translate_to_asm`, and nothing else changed."""
    code = make_ptx.__code__
    if not {"llvm", "translate_to_asm"} <= set(code.co_names):
        raise DeclinedError("its make_ptx does not translate IR as the known versions do")
    llvm = types.SimpleNamespace(**vars(compiler.llvm))
    llvm.translate_to_asm = translate
    names = {**make_ptx.__globals__, "llvm": llvm}
    return types.FunctionType(
        code, names, make_ptx.__name__, make_ptx.__defaults__, make_ptx.__closure__
    )


def translation(settings):
    """Triton's `translate_to_asm` by `warpalloc-llc`."""

    def translate(ir, triple, processor, features, flags, fuses, is_object, *more, **named):
        if is_object or any(more) or any(named.values()):
            raise DeclinedError("its IR is changed by Triton on the way to PTX")
        for name in UNKNOWN_VARIABLES:
            if os.environ.get(name, "").lower() not in ("", "0", "false", "off"):
                raise DeclinedError(f"{name} is set")
        if inlined := sorted(functions_to_inline(ir)):
            raise DeclinedError(f"Triton would inline {', '.join(inlined)}")
        target = [f"-mtriple={triple}", f"-mcpu={processor}", f"-mattr={features}"]
        command = [settings.command, *target, *machine_options(ir, flags, fuses)]
        ptx = commands.run([*command, *limit(ir), *settings.options, "-o", "-"], for_llvm_22(ir))
        if unknown := re.search(r"\.extern \.func .*\b(llvm_?\$\S+)", ptx):
            raise DeclinedError(f"LLVM 22 does not know {unknown[1]}")
        if not re.search(r"^\.visible \.entry ", ptx, re.MULTILINE):
            raise DeclinedError("warpalloc-llc prints no kernel")
        return ptx

    return translate


def machine_options(ir, flags, fuses):
    """llc's options for what Triton sets in its target machine."""
    options = ["-O3", "-relocation-model=pic", "-trap-unreachable"]
    if fuses:
        options.append("-fp-contract=fast")
    # LLVM in 3.5.1 does it without being told, and knows no such flag.
    flags = dict.fromkeys(["nvptx-mad-wide-opt", *flags])
    # Up to 3.6.0 Triton sets it apart from its flags; the layout of the IR tells.
    if re.search(r'^target datalayout = "[^"]*-p3:32:', ir, re.MULTILINE):
        flags["nvptx-short-ptr"] = None
    return options + [f"-{flag}" for flag in flags]


def limit(ir):
    """The registers that a thread may have: `maxnreg`, or as many as there are."""
    found = re.search(r'"nvvm\.maxnreg"="(\d+)"', ir)
    # Warp specialization may ask for 256, of which a thread can name 255.
    registers = min(int(found[1]), MOST_REGISTERS) if found else MOST_REGISTERS
    return [f"-nvptx-regalloc-pressure-limit={registers}"]


def functions_to_inline(ir):
    """The functions that Triton inlines before it generates code: those that may be, but for
    the kernel."""
    attributes = dict(re.findall(r"^attributes (#\d+) = \{([^\n]*)\}", ir, re.MULTILINE))
    for line in re.findall(r"^define [^\n]*", ir, re.MULTILINE):
        groups = " ".join(attributes.get(group, "") for group in re.findall(r"#\d+", line))
        if not re.search(r"\bptx_kernel\b", line) and not re.search(r"\bnoinline\b", groups):
            yield re.search(r"@([^(\s]+)\(", line)[1]
