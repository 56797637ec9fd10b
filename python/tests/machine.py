"""What ptxas has made of a kernel, from the cubin, by NVIDIA's tools that Triton brings."""

import re
import subprocess

from triton import knobs

from warpalloc import command as commands


def registers(kernel, folder):
    """The registers of a thread."""
    cubin = folder / "kernel.cubin"
    cubin.write_bytes(kernel.asm["cubin"])
    return registers_of(cubin, kernel.metadata.name)


def costs(cubin, name, command):
    """Registers, and local accesses and stall cycles weighed by loops, of a kernel in a file."""
    nvdisasm = knobs.nvidia.nvdisasm.path
    return [registers_of(cubin, name), *commands.local_accesses(command, nvdisasm, cubin)]


def registers_of(cubin, name):
    """The registers of a thread, of a kernel in a file."""
    command = [knobs.nvidia.cuobjdump.path, "-res-usage", str(cubin)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return int(re.search(rf"Function {re.escape(name)}:\s+REG:(\d+)", printed)[1])


def local_accesses(kernel, folder):
    """Instructions that go to local memory, each counted once."""
    cubin = folder / "kernel.cubin"
    cubin.write_bytes(kernel.asm["cubin"])
    command = [knobs.nvidia.nvdisasm.path, "-c", str(cubin)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return len(re.findall(r"\b(?:LDL|STL)\b", printed))
