"""Puts the programs into the wheel: `warpalloc-llc` that needs no LLVM, and `warpalloc`.

Both must have been built (`make wheel` does it). The wheel is for this kind of processor, and
for a C library no older than this machine's.
"""

import pathlib
import platform

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TARGET = pathlib.Path(__file__).resolve().parents[1] / "target"
# Debian's packages of what is linked into warpalloc-llc, with what they say of its copyright.
DOCUMENTS = pathlib.Path("/usr/share/doc")
LINKED = ("llvm-22-dev", "gcc-12-base", "zlib1g-dev", "libzstd-dev")
PROGRAMS = {"warpalloc-llc": TARGET / "standalone", "warpalloc": TARGET / "release"}


class Programs(BuildHookInterface):
    """hatchling's hook: it finds the one class of this file."""

    def initialize(self, version, build_data):
        if version == "editable":
            return
        for name, folder in PROGRAMS.items():
            if not (folder / name).is_file():
                raise FileNotFoundError(f"{folder / name} is missing: run make wheel")
            build_data["force_include"][str(folder / name)] = f"warpalloc/bin/{name}"
        for package in LINKED:
            copyright = DOCUMENTS / package / "copyright"
            if copyright.is_file():
                build_data["force_include"][str(copyright)] = f"warpalloc/licences/{package}"
        library, number = platform.libc_ver()
        if library != "glibc":
            raise OSError("the programs are built for the GNU C library")
        build_data["pure_python"] = False
        platform_tag = f"manylinux_{number.replace('.', '_')}_{platform.machine()}"
        build_data["tag"] = f"py3-none-{platform_tag}"
