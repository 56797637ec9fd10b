"""How long the allocator takes: beside greedy and basic on programs, beside stock llc on
kernels, and how that grows with the size of a function; and how much memory llc needs.

Every figure is a ratio of times that took turns in one run, the least of several, of all
processors together: on programs the allocator's own pass, on kernels all of llc without the
passes over IR, with no limit and with one, and there also as a clock shows it (a large kernel
has two threads); of growth it is the exponent from each size to the next (1 where time is
proportional). Memory is what llc has resident at most. Times are
seconds, memory is megabytes. Each is compared with the one in benches/results/times.json, if
it is there: exit code 1 if one has grown by more than a quarter. --table writes that file."""

import collections
import json
import math
import os
import subprocess
import sys
import time

import corpus
import kernels
import results
from cpu import command, least, seconds
from toolchain import ALLOCATOR, ROOT, TARGET, budget, checked, need

OUTPUT = TARGET / "times"
NAME = "times"
COLUMNS = ["what", "beside", "LLVM's", "ours", "ratio, or exponent"]
# How much a figure may be more than in the file.
MOST_GROWN = 1.25
# Times below this many seconds say nothing about growth.
LEAST = 0.01
# Functions of tests/huge: one block, many blocks, nests of loops.
SHAPES = ("straight", "updates", "loops")
LIVE = 30


def add_arguments(parser):
    kernels.add_arguments(parser)
    parser.add_argument("--runs", type=int, default=3, help="timed compilations of each (3)")
    parser.add_argument("--limits", default="none,64", help="of kernels; none: no limit")
    parser.add_argument("--sizes", default="1000,10000,100000", help="of functions")
    parser.add_argument("--programs", default=",".join(corpus.NAMES))
    parser.add_argument("--table", action="store_true", help="write the documents' table")


def bitcodes(options):
    """The programs that are compiled, by name."""
    names = [name for name in options.programs.split(",") if name]
    built = corpus.build() if names else {}
    return [(name, built[name]) for name in names]


def programs(options):
    """A row for each program and allocator of LLVM's."""
    for name, bitcode in bitcodes(options):
        allocators = ("greedy", "basic", "warpalloc")
        times = least(options.runs, *(lambda one=one: seconds(bitcode, one) for one in allocators))
        for beside, time in zip(allocators[:2], times):
            yield [name, beside, f"{time:.3f}", f"{times[2]:.3f}", f"{times[2] / time:.2f}"]


def memory(options):
    """A row for each program: the most that llc has resident, with greedy and with ours."""
    for name, bitcode in bitcodes(options):
        greedy, ours = (
            used(*command(bitcode, one, "-filetype=obj", "-o", "/dev/null")).megabytes
            for one in ("greedy", "warpalloc"))
        yield [f"{name}, memory", "greedy", f"{greedy:.0f}", f"{ours:.0f}", f"{ours / greedy:.2f}"]


Used = collections.namedtuple("Used", ["processor", "clock", "megabytes"])


def used(*command):
    """Seconds and memory of a command that ends well."""
    begin = time.monotonic()
    with subprocess.Popen(list(map(str, command)), cwd=ROOT, stderr=subprocess.PIPE) as process:
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(errors.decode(errors="replace"))
    return Used(usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss / 1024)


def kernel_sources(options):
    """Two rows for each folder of kernels and limit."""
    for folder in kernels.folders(options):
        for limit in options.limits.split(","):
            limits = budget(None if limit == "none" else limit)
            ours = [*ALLOCATOR, "-warpalloc-prepare=false", *limits]
            sums = collections.Counter()
            for file in folder.files:
                commands = [folder.llc(*flags, file, "-o", "/dev/null") for flags in ([], ours)]
                found = [[used(*command) for command in commands] for _ in range(options.runs)]
                for side, runs in enumerate(zip(*found)):
                    for measure in ("processor", "clock"):
                        sums[measure, side] += min(getattr(run, measure) for run in runs)
            for measure, beside in (("processor", "llc"), ("clock", "llc, by the clock")):
                stock, our = sums[measure, 0], sums[measure, 1]
                yield [f"{kernels.title(folder.name)}, limit {limit}", beside, f"{stock:.2f}",
                       f"{our:.2f}", f"{our / stock:.2f}"]


def growth(options):
    """A row for each shape and size behind the first."""
    for shape in SHAPES:
        before = None
        for size in map(int, options.sizes.split(",")):
            path = OUTPUT / f"{shape}-{size}.ll"
            generator = "tests/huge/huge_function.py"
            path.write_text(checked(sys.executable, generator, shape, size, LIVE))
            # These take a time that is not linear, and are not what is measured.
            flags = ["-mtriple=x86_64-linux-gnu", "-disable-lsr", "-enable-misched=false"]
            greedy, ours = least(options.runs, *(
                lambda one=one: seconds(path, one, *flags) for one in ("greedy", "warpalloc")))
            if before and before[1] >= LEAST:
                exponent = math.log(ours / before[1]) / math.log(size / before[0])
                yield [f"{shape}, size {before[0]} to {size}", "itself; greedy at the larger",
                       f"{greedy:.2f}", f"{ours:.2f}", f"{exponent:.2f}"]
            before = size, ours


def stored():
    """The figures of the file by what they are of."""
    path = results.RESULTS / f"{NAME}.json"
    rows = json.loads(path.read_text())["rows"] if path.exists() else []
    return {(what, beside): float(figure) for what, beside, *_, figure in rows}


def main(options):
    need()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    before = stored()
    grown, table = [], []
    print("; ".join(COLUMNS))
    for part in (programs, memory, kernel_sources, growth):
        for row in part(options):
            figure, then = float(row[-1]), before.get((row[0], row[1]))
            print("  ".join(row) + (f"  (in the file {then})" if then else ""), flush=True)
            table.append(row)
            if then and figure > then * MOST_GROWN:
                grown.append(f"{row[0]}, {row[1]}: {then} to {figure}")
    for one in grown:
        print(f"slower than in the file: {one}")
    if options.table:
        results.write(NAME, "The allocator's time", COLUMNS, table)
        return 0
    return int(bool(grown))
