"""Whether kernels reach the occupancy that they are to have, in ptxas' own figures.

Each file is compiled with -nvptx-regalloc-occupancy-target, ptxas gets the PTX as it is,
and the warps that are resident follow from the registers that it reports, in blocks of 256
threads. A kernel whose shared memory or block size alone leaves fewer warps cannot reach the
target, nor can one for which ptxas refuses so few registers. Exit code 1 if a kernel that can
does not.

Stock is what llc writes without the plugin, each kernel with the .maxnreg that the plugin
gave it. Accesses are LDL and STL in the machine code, which count the programs' own arrays
as well; bytes those of spill stores and loads that ptxas reports.
"""

import collections
import functools
import re

import kernels
import results
from machine_code import assemble
from toolchain import ALLOCATOR, DECLINED, RELEASE, TARGET, in_parallel, need, run

OUTPUT = TARGET / "occupancy-target"
THREADS = 256
# What the documents' table shows of a source: what is declined or fails has no row there.
COUNTED = ("kernels", "reached", "impossible", "missed")


@functools.cache
def occupancy(sm, threads, shared):
    """The percentage of warps that are resident, by the registers of a thread."""
    options = ["--sm", sm, "--threads", threads, "--shared-memory", shared]
    printed = run(RELEASE / "warpalloc", "occupancy", *options).stdout
    found = re.findall(r"registers=(\d+) .* occupancy=(\d+)", printed)
    return {int(registers): int(percent) for registers, percent in found}


def percent(sm, registers, threads=THREADS, shared=0):
    return occupancy(sm, threads, shared)[max(registers, 16)]


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


def compiled(folder, source, target):
    """For each kernel of a file: name, outcome, what the plugin and what stock gives."""
    sm = folder.sm
    base = OUTPUT / f"{folder.name}.{source.stem}.sm_{sm}.{target}"
    ours, stock = base.with_suffix(".ptx"), base.with_suffix(".stock.ptx")
    plugin = [*ALLOCATOR, f"-nvptx-regalloc-occupancy-target={target}"]
    if (result := run(*folder.llc(*plugin, source, "-o", ours))).returncode:
        declined = DECLINED.findall(result.stderr)
        if not declined:
            return [(source.name, "failed", result.stderr[-300:], None)]
        return [(name, "declined", why, None) for name, why in declined]
    found = assemble(ours, sm)
    bounds, threads = directives(ours)
    run(*folder.llc(source, "-o", stock))
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


def add_arguments(parser):
    kernels.add_arguments(parser)
    parser.add_argument("--targets", default="50,75")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="name what misses the target")
    parser.add_argument("--table", action="store_true", help="write the documents' table")


def main(options):
    need()
    table = []
    OUTPUT.mkdir(parents=True, exist_ok=True)
    missed = 0
    columns = ("kernels", "reached", "impossible", "refused", "declined", "missed",
               "failed")
    print(f"{'directory':14} {'target':>6} "
          + " ".join(f"{one:>{max(8, len(one))}}" for one in columns)
          + f" {'accesses':>9} {'stock':>7} {'bytes':>8} {'stock':>8}")
    for folder in kernels.folders(options):
        for target in map(int, options.targets.split(",")):
            found = in_parallel(lambda file: compiled(folder, file, target), folder.files,
                                options.jobs)
            rows = [row for many in found for row in many]
            counts = collections.Counter(outcome for _, outcome, _, _ in rows)
            counts["kernels"] = len(rows)
            missed += counts["missed"] + counts["failed"]
            both = [(ours, stock) for _, _, ours, stock in rows if stock]
            sums = [sum(getattr(one[side], what) for one in both)
                    for what in ("local", "spill_bytes") for side in (0, 1)]
            print(f"{folder.name:14} {target:6} "
                  + " ".join(f"{counts[one]:{max(8, len(one))}}" for one in columns)
                  + " {:9} {:7} {:8} {:8}".format(*sums), flush=True)
            table.append([kernels.title(folder.name), f"{target} %",
                          *(counts[one] for one in COUNTED), *(f"{one:,}" for one in sums)])
            for name, outcome, what, _ in rows:
                if outcome in ("failed", "missed") or options.list and outcome != "reached":
                    print(f"  {outcome}: {name}: {what}")
    if options.table:
        results.write("occupancy-targets", "Occupancy targets in ptxas' figures",
                      ["source", "target", *COUNTED, "LDL and STL", "stock's", "bytes",
                       "stock's"], table)
    return int(missed > 0)
