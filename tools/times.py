"""How long the allocator takes: beside greedy and basic on programs, beside stock llc on
kernels, and how that grows with the size of a function.

Every figure is a ratio of times that took turns in one run, the least of several, of one
processor: on programs the allocator's own pass, on kernels all of llc without the passes over
IR, with no limit and with one; of growth it is the exponent from each size to the next (1
where time is proportional). Each is compared with the one in benches/results/times.json, if
it is there: exit code 1 if one has grown by more than a quarter. --table writes that file."""

import json
import math
import resource
import sys

import corpus
import kernels
import results
from cpu import least, seconds
from toolchain import ALLOCATOR, TARGET, budget, checked, need, run

OUTPUT = TARGET / "times"
NAME = "times"
COLUMNS = ["what", "beside", "LLVM's, s", "ours, s", "ratio, or exponent"]
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


def programs(options):
    """A row for each program and allocator of LLVM's."""
    bitcodes = corpus.build() if options.programs else {}
    for name in filter(None, options.programs.split(",")):
        bitcode = bitcodes[name]
        allocators = ("greedy", "basic", "warpalloc")
        times = least(options.runs, *(lambda one=one: seconds(bitcode, one) for one in allocators))
        for beside, time in zip(allocators[:2], times):
            yield [name, beside, f"{time:.3f}", f"{times[2]:.3f}", f"{times[2] / time:.2f}"]


def processor_seconds(*command):
    """The processor's time of a command that ends well."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = run(*command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode:
        raise SystemExit(result.stderr)
    return sum(getattr(after, one) - getattr(before, one) for one in ("ru_utime", "ru_stime"))


def kernel_sources(options):
    """A row for each folder of kernels and limit."""
    for folder in kernels.folders(options):
        for limit in options.limits.split(","):
            limits = budget(None if limit == "none" else limit)
            ours = [*ALLOCATOR, "-warpalloc-prepare=false", *limits]
            stock_sum = our_sum = 0
            for file in folder.files:
                stock, our = least(options.runs, *(
                    lambda flags=flags: processor_seconds(*folder.llc(*flags, file, "-o", "/dev/null"))
                    for flags in ([], ours)))
                stock_sum += stock
                our_sum += our
            yield [f"{kernels.title(folder.name)}, limit {limit}", "llc", f"{stock_sum:.2f}",
                   f"{our_sum:.2f}", f"{our_sum / stock_sum:.2f}"]


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
    for part in (programs, kernel_sources, growth):
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
