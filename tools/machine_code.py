"""What ptxas makes of PTX: registers, spills, instructions, resident warps."""

import collections
import dataclasses
import hashlib
import json
import os
import re

from toolchain import RELEASE, VENV, ptxas, run

# An instruction: its address, perhaps a predicate, and the opcode.
INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_]*)")
# For blocks of 256 threads on an SM with 65,536 registers in four partitions.
REGISTERS_OF_PARTITION, PARTITIONS, WARPS, WARPS_OF_BLOCK = 16384, 4, 64, 8


@dataclasses.dataclass
class Kernel:
    """What ptxas reports of a kernel, and what stands in its machine code: instructions
    without padding; accesses to local memory (LDL, STL), spills and the program's arrays."""

    registers: int
    shared: int = 0
    spill_bytes: int = 0
    instructions: int = 0
    local: int = 0


def reported(text):
    """The kernels of a report of ptxas -v by name. Device functions of their own report no
    registers; what they spill counts for the kernel before them."""
    kernels, kernel, spilled = {}, None, collections.Counter()
    for line in text.splitlines():
        if found := re.search(r"Compiling entry function '([^']*)'", line):
            kernel = found[1]
        elif found := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
            spilled[kernel] += int(found[1]) + int(found[2])
        elif kernel and (found := re.search(r"Used (\d+) registers", line)):
            shared = re.search(r"(\d+) bytes smem", line)
            kernels[kernel] = Kernel(int(found[1]), int(shared[1]) if shared else 0)
    for name, found in kernels.items():
        found.spill_bytes = spilled[name]
    return kernels


def disassembled(text):
    """Instructions and accesses to local memory of each section of nvdisasm's listing."""
    sections, current = {}, None
    for line in text.splitlines():
        if line.startswith("//-"):
            section = re.match(r"//-+ \.text\.(\S+)", line)
            current = section and sections.setdefault(section[1], [0, 0])
        elif current is not None and (found := INSTRUCTION.match(line)) and found[1] != "NOP":
            current[0] += 1
            current[1] += found[1] in ("LDL", "STL")
    return sections


def assemble(ptx, sm, *flags, timeout=None):
    """The kernels of a PTX file by name as ptxas leaves them, or its complaint as text."""
    cubin = ptx.with_suffix(".cubin")
    result = run(*ptxas(sm, "-v", *flags, "-o", cubin, ptx), timeout=timeout)
    if result.returncode:
        return result.stderr
    kernels = reported(result.stdout + result.stderr)
    listing = run(VENV / "nvdisasm", "-c", cubin, timeout=timeout)
    cubin.unlink()
    for name, (instructions, local) in disassembled(listing.stdout).items():
        if name in kernels:
            kernels[name].instructions, kernels[name].local = instructions, local
    return kernels


def weighed(ptx, sm, *flags, timeout=None):
    """What the schedule that ptxas makes of a PTX file costs, figures for each kernel by name:
    its registers; stall cycles and accesses to local memory weighed by loops; these accesses
    and the instructions counted once. None if ptxas refuses the file."""
    cubin, listing = ptx.with_suffix(".cubin"), ptx.with_suffix(".sass")
    result = run(*ptxas(sm, "-v", *flags, "-o", cubin, ptx), timeout=timeout)
    if result.returncode:
        return None
    kernels = reported(result.stdout + result.stderr)
    listing.write_text(run(VENV / "nvdisasm", "-c", "-hex", cubin, timeout=timeout).stdout)
    lines = run(RELEASE / "warpalloc", "cost", listing).stdout.splitlines()
    costs = (dict(field.split("=", 1) for field in line.split()[1:]) for line in lines)
    return {
        name: {"registers": kernels[name].registers, "spills": kernels[name].spill_bytes,
               **{key: int(value) for key, value in cost.items()}}
        for cost in costs if (name := cost.pop("kernel")) in kernels
    }


def remembered(folder, ptx, key, find):
    """What `find` says of a PTX file, as JSON in a folder, by the file's content and a key; it
    is asked once. None, that ptxas refuses the file, is not kept."""
    digest = hashlib.sha256(f"{key} ".encode() + ptx.read_bytes()).hexdigest()
    known = folder / f"{digest}.json"
    if known.exists():
        return json.loads(known.read_text())
    found = find()
    if found is not None:
        folder.mkdir(parents=True, exist_ok=True)
        new = known.with_suffix(f".{os.getpid()}.{ptx.parent.name}")
        new.write_text(json.dumps(found))
        new.rename(known)
    return found


def resident_warps(registers):
    """Warps that are resident by the registers of a thread, in blocks of 256 threads."""
    of_warp = 32 * 8 * -(-max(registers, 1) // 8)
    fitting = REGISTERS_OF_PARTITION // of_warp * PARTITIONS
    return min(WARPS, fitting) // WARPS_OF_BLOCK * WARPS_OF_BLOCK
