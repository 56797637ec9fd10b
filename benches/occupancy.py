#!/usr/bin/env python3
"""Whether kernels reach the occupancy that they are to have, in ptxas' own figures.

usage: occupancy.py [--sm 90] [--targets 50,75] [--jobs N] [--list] [--table] [DIRECTORY...]

The directories hold kernels as .bc or .ll; without any, the examples are taken. A file
LLC_FLAGS beside the kernels has more options for llc. Each file is compiled with
-nvptx-regalloc-occupancy-target, ptxas gets the PTX as it is, and the warps that are
resident follow from the registers that it reports, in blocks of 256 threads. A kernel
whose shared memory or block size alone leaves fewer warps cannot reach the target, nor
can one for which ptxas refuses so few registers. Exit code 1 if a kernel that can does not.

Stock is what llc writes without the plugin, each kernel with the .maxnreg that the plugin
gave it. Accesses are LDL and STL in the machine code, which count the programs' own arrays
as well; bytes those of spill stores and loads that ptxas reports. --table writes the table
of docs/occupancy.md.
"""

import argparse
import collections
import concurrent.futures
import functools
import pathlib
import re
import subprocess
import sys

import results

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv/bin"
OUTPUT = ROOT / "target/occupancy-target"
THREADS = 256
# What the documents' table shows of a source: what is declined or fails has no row there.
COUNTED = ("kernels", "reached", "impossible", "missed")
# What the plugin says when a kernel cannot be allocated as it was asked to.
DECLINED = re.compile(r"error: warpalloc: in function '([^']+)': (.*)")


def command(arguments):
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


@functools.cache
def occupancy(sm, threads, shared):
    """The percentage of warps that are resident, by the registers of a thread."""
    options = ["--sm", sm, "--threads", threads, "--shared-memory", shared]
    tool = [ROOT / "target/release/warpalloc", "occupancy", *map(str, options)]
    found = re.findall(r"registers=(\d+) .* occupancy=(\d+)", command(tool).stdout)
    return {int(registers): int(percent) for registers, percent in found}


def percent(sm, registers, threads=THREADS, shared=0):
    return occupancy(sm, threads, shared)[max(registers, 16)]


Kernel = collections.namedtuple("Kernel", "registers shared spill accesses")


def assemble(ptx, sm):
    """What ptxas makes of each kernel; its complaint if it makes nothing."""
    cubin = ptx.with_suffix(".cubin")
    result = command([BIN / "ptxas", "-v", f"-arch=sm_{sm}", ptx, "-o", cubin])
    if result.returncode:
        return result.stderr
    accesses, section = collections.Counter(), None
    for line in command([BIN / "nvdisasm", "-c", cubin]).stdout.splitlines():
        if match := re.match(r"\s*\.section\s+\.text\.([^,]+),", line):
            section = match[1]
        elif re.search(r"\b(LDL|STL)\b", line):
            accesses[section] += 1
    cubin.unlink()
    found, kernel, spill = {}, None, collections.Counter()
    for line in result.stderr.splitlines():
        if match := re.search(r"Compiling entry function '([^']*)'", line):
            kernel = match[1]
        elif match := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
            spill[kernel] += int(match[1]) + int(match[2])
        elif kernel and (match := re.search(r"Used (\d+) registers", line)):
            shared = re.search(r"(\d+) bytes smem", line)
            found[kernel] = Kernel(int(match[1]), int(shared[1]) if shared else 0,
                                   spill[kernel], accesses[kernel])
    return found


def directives(ptx):
    """The .maxnreg and the threads of a block of each kernel, as far as they stand there."""
    bounds, threads, kernel = {}, {}, None
    for line in ptx.read_text().splitlines():
        if match := re.search(r"\.entry\s+([\w$]+)", line):
            kernel = match[1]
        elif match := re.match(r"\.maxnreg (\d+)", line):
            bounds[kernel] = int(match[1])
        elif match := re.match(r"\.(?:reqntid|maxntid) ([\d, ]+)", line):
            product = 1
            for number in match[1].split(","):
                product *= int(number)
            threads[kernel] = product
    return bounds, threads


def with_bounds(ptx, bounds):
    """Puts a .maxnreg before the body of each kernel."""
    lines, kernel = [], None
    for line in ptx.read_text().splitlines():
        if match := re.search(r"\.entry\s+([\w$]+)", line):
            kernel = match[1]
        if kernel in bounds and line.startswith(".maxnreg"):
            continue
        if kernel and line.startswith("{"):
            if kernel in bounds:
                lines.append(f".maxnreg {bounds[kernel]}")
            kernel = None
        lines.append(line)
    ptx.write_text("\n".join(lines) + "\n")


def is_refused(ptx, kernel, sm, target):
    """Whether ptxas will not compile a kernel with as few registers as the target takes."""
    most = max(one for one in range(16, 256) if percent(sm, one) >= target)
    bounded = ptx.with_suffix(".bounded.ptx")
    bounded.write_text(ptx.read_text())
    with_bounds(bounded, {kernel: most})
    result = assemble(bounded, sm)
    bounded.unlink()
    return isinstance(result, str)


def compiled(source, sm, target):
    """For each kernel of a file: name, outcome, what the plugin and what stock gives."""
    base = OUTPUT / f"{source.parent.name}.{source.stem}.sm_{sm}.{target}"
    flags = source.parent / "LLC_FLAGS"
    more = flags.read_text().split() if flags.exists() else []
    llc = ["llc-22", "-O2", f"-mcpu=sm_{sm}", "-mattr=+ptx88", *more, source, "-o"]
    plugin = [f"-load={ROOT / 'target/release/libwarpalloc.so'}", "-regalloc=warpalloc",
              f"-nvptx-regalloc-occupancy-target={target}"]
    ours, stock = base.with_suffix(".ptx"), base.with_suffix(".stock.ptx")
    if (result := command([*llc, ours, *plugin])).returncode:
        declined = DECLINED.findall(result.stderr)
        if not declined:
            return [(source.name, "failed", result.stderr[-300:], None)]
        return [(name, "declined", why, None) for name, why in declined]
    found = assemble(ours, sm)
    bounds, threads = directives(ours)
    command([*llc, stock])
    with_bounds(stock, bounds)
    beside = assemble(stock, sm)
    if isinstance(found, str):
        return [(source.name, "failed", found[-300:], None)]
    if isinstance(beside, str):
        beside = {}
    rows = []
    for name, kernel in found.items():
        by_memory = percent(sm, 16, threads.get(name, THREADS), kernel.shared)
        if percent(sm, kernel.registers) >= target:
            outcome = "reached"
        elif by_memory < target:
            outcome = "impossible"
        elif is_refused(ours, name, sm, target):
            outcome = "refused"
        else:
            outcome = "missed"
        rows.append((name, outcome, kernel, beside.get(name)))
    for path in (ours, stock):
        path.unlink()
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sm", default="90")
    parser.add_argument("--targets", default="50,75")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="name what misses the target")
    parser.add_argument("--table", action="store_true", help="write the documents' table")
    parser.add_argument("directories", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    table = []
    OUTPUT.mkdir(parents=True, exist_ok=True)
    missed = 0
    columns = ("kernels", "reached", "impossible", "refused", "declined", "missed",
               "failed")
    print(f"{'directory':14} {'target':>6} "
          + " ".join(f"{one:>{max(8, len(one))}}" for one in columns)
          + f" {'accesses':>9} {'stock':>7} {'bytes':>8} {'stock':>8}")
    for directory in arguments.directories or [ROOT / f"target/examples/sm_{arguments.sm}"]:
        files = sorted(directory.glob("*.bc")) + sorted(directory.glob("*.ll"))
        if not files:
            sys.exit(f"{directory}: no kernels")
        for target in map(int, arguments.targets.split(",")):
            with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as executor:
                rows = [row for many in executor.map(
                    lambda file: compiled(file, arguments.sm, target), files) for row in many]
            counts = collections.Counter(outcome for _, outcome, _, _ in rows)
            counts["kernels"] = len(rows)
            missed += counts["missed"] + counts["failed"]
            both = [(ours, stock) for _, _, ours, stock in rows if stock]
            sums = [sum(getattr(one[side], what) for one in both)
                    for what in ("accesses", "spill") for side in (0, 1)]
            print(f"{directory.name:14} {target:6} "
                  + " ".join(f"{counts[one]:{max(8, len(one))}}" for one in columns)
                  + " {:9} {:7} {:8} {:8}".format(*sums), flush=True)
            table.append([results.source(directory.name), f"{target} %",
                          *(counts[one] for one in COUNTED), *(f"{one:,}" for one in sums)])
            for name, outcome, what, _ in rows:
                if outcome in ("failed", "missed") or arguments.list and outcome != "reached":
                    print(f"  {outcome}: {name}: {what}")
    if arguments.table:
        results.write("occupancy-targets", "Occupancy targets in ptxas' figures",
                      results.command_line("occupancy.sh", sys.argv[1:]),
                      ["source", "target", *COUNTED, "LDL and STL", "stock's", "bytes",
                       "stock's"], table)
    sys.exit(missed > 0)


if __name__ == "__main__":
    main()
