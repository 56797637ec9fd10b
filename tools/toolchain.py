"""The compilers and tools that are run, and how."""

import concurrent.futures
import functools
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "target"
RELEASE = TARGET / "release"
VENV = ROOT / ".venv/bin"
PLUGIN = pathlib.Path(os.environ.get("PLUGIN", RELEASE / "libwarpalloc.so")).resolve()
# What chooses the allocator in llc, and, for what tests or measures the allocator itself,
# spills here.
LOAD = f"-load={PLUGIN}"
ALLOCATOR = [LOAD, "-regalloc=warpalloc", *shlex.split(os.environ.get("WARPALLOC_FLAGS", ""))]
SPILLS_HERE = [*ALLOCATOR, "-warpalloc-spills=here"]
# What the plugin says when a function cannot be allocated as it was asked to.
DECLINED = re.compile(r"error: warpalloc: in function '([^']+)': (.*)")


def run(*arguments, timeout=None, **environment):
    """Runs a command to its end and gives its exit code and output as text.

    Raises subprocess.TimeoutExpired after `timeout` seconds."""
    return subprocess.run(
        list(map(str, arguments)), capture_output=True, text=True, errors="replace", check=False,
        timeout=timeout, cwd=ROOT, env={**os.environ, **environment},
    )


def checked(*arguments, **options):
    """What a command prints; ends this program where the command fails."""
    result = run(*arguments, **options)
    if result.returncode:
        sys.exit(f"{shlex.join(map(str, arguments))}\n{result.stdout}{result.stderr}")
    return result.stdout


def need(programs=False):
    """Ends this program without the plugin; builds the workspace's programs if asked to. (One
    crate alone would be built with other features than all together, and so anew.)"""
    if not PLUGIN.exists():
        sys.exit(f"{PLUGIN} is missing: run cargo build --release")
    if programs:
        checked("cargo", "build", "--quiet", "--release", "--workspace")


def llc(sm, *more):
    """The command of llc for an SM: the version of the PTX language must be given, what
    the functions' attributes say does not reach the file's header."""
    return ["llc-22", "-O2", f"-mcpu=sm_{sm}", "-mattr=+ptx88", *more]


def ptxas(sm, *more):
    """The command of the newest ptxas that knows an SM."""
    number = int(re.sub(r"\D", "", str(sm)))
    return [VENV / ("ptxas" if number >= 75 else "ptxas-12"), f"-arch=sm_{sm}", *more]


def budget(limit):
    """The option for a budget of registers; none without one."""
    return [f"-nvptx-regalloc-pressure-limit={limit}"] if limit else []


def cap(limit):
    """What tells ptxas the budget. Without the second flag it leaves kernels with launch
    bounds uncapped."""
    return [f"-maxrregcount={limit}", "--override-directive-values"] if limit else []


def in_parallel(function, items, jobs):
    """The results of a function over items, in their order."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(function, items)


@functools.cache
def compile_examples(sm):
    """The folder of the examples as bitcode for an SM."""
    checked("scripts/compile_examples.sh", sm)
    return TARGET / f"examples/sm_{sm}"
