"""Compiles real programs with greedy, basic and warpalloc, checks that they print the same, and
compares the code and the allocators' time.

Spills, reloads and folded ones are counted as they stand in the assembly, copies as moves
between registers. The time is the allocators' own, the least of several compilations that
take turns. Exit code 1 where a program does not compile or prints something else."""

import re

import corpus
import results
from toolchain import ALLOCATOR, TARGET, need, run

OUTPUT = TARGET / "cpu-compare"
ALLOCATORS = {
    "greedy": ["-regalloc=greedy"],
    "basic": ["-regalloc=basic"],
    "warpalloc": ALLOCATOR,
    "warpalloc-nojoin": [*ALLOCATOR, "-join-liveintervals=false"],
}
# Of -time-passes: user, system, both and wall time, as far as they are there. (x86 also runs
# greedy for tile registers, whichever allocator does the rest.)
PASS = re.compile(r"^\s*((?:[\d.]+ +\( *[\d.]+%\) +)+)[\d.]* *(?:Greedy|Basic|Warpalloc) "
                  r"Register Allocator(?: #\d+)?$", re.M)
COPY = re.compile(r"^\s+mov(?:[bwlq]|aps|apd|dqa|dqu|ups|upd)\s+%[a-z0-9]+, %[a-z0-9]+(?:\s|$)",
                  re.M)
COUNTED = {"copies": COPY, "spills": re.compile("byte Spill"),
           "reloads": re.compile("byte Reload"), "folded": re.compile("byte Folded (?:Spill|Reload)")}


def arguments(name):
    return ["benches/drivers/mix.lua", 1] if name == "lua" else [1]


def command(bitcode, allocator, *more):
    return ["llc-22", "-O2", "-relocation-model=static", *ALLOCATORS[allocator], *more, bitcode]


def llc(bitcode, allocator, *more):
    return run(*command(bitcode, allocator, *more))


def seconds(bitcode, allocator, *more):
    """The time in allocators of one compilation."""
    flags = ("-filetype=null", "-time-passes", *more, "-o", "/dev/null")
    report = llc(bitcode, allocator, *flags).stderr
    columns = [re.findall(r"([\d.]+) +\(", times) for times in PASS.findall(report)]
    return sum(float(times[2] if len(times) == 4 else times[-1]) for times in columns)


def least(runs, *measures):
    """The least of each measure, which take turns."""
    found = [[measure() for measure in measures] for _ in range(runs)]
    return [min(column) for column in zip(*found)]


def executed(name, bitcode, allocator):
    """The figures of the code, and what came of running it: its output or a failure."""
    base = OUTPUT / f"{name}.{allocator}"
    assembly, binary = base.with_name(base.name + ".s"), base.with_name(base.name + ".o")
    verify = ["-verify-machineinstrs"] + ["-verify-regalloc"] * (allocator != "greedy")
    compiled = llc(bitcode, allocator, *verify, "-o", assembly)
    if compiled.returncode:
        return {}, None, f"FAILED to compile: {compiled.stderr.strip()[:200]}"
    text = assembly.read_text()
    figures = {column: len(regex.findall(text)) for column, regex in COUNTED.items()}
    for link in (["-c", assembly, "-o", binary], ["-no-pie", binary, "-o", base, "-lm"]):
        if run("clang-22", *link).returncode:
            return figures, None, "FAILED to link"
    sections = run("llvm-size-22", "-A", binary).stdout
    figures["text"] = sum(int(size) for size in re.findall(r"^\.text\S*\s+(\d+)", sections, re.M))
    ran = run("timeout", 120, base, *arguments(name))
    failure = f"FAILED to run, exit code {ran.returncode}" if ran.returncode else None
    return figures, ran.stdout + ran.stderr, failure


def add_arguments(parser):
    parser.add_argument("programs", nargs="*", metavar="PROGRAM",
                        help=f"of {', '.join(corpus.NAMES)}; none: all")
    parser.add_argument("--runs", type=int, default=5, help="timed compilations of each (5)")
    parser.add_argument("--table", action="store_true", help="write the documents' table")


def main(options):
    need()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    bitcodes = corpus.build()
    if unknown := set(options.programs) - set(bitcodes):
        raise SystemExit(f"no program {', '.join(sorted(unknown))}")
    columns = [*COUNTED, "text"]
    print(f"{'program':8} {'allocator':17}"
          + "".join(f"{one:>9}" for one in [*columns, "time ms"]) + "  output")
    failed, table = False, []
    for name in options.programs or bitcodes:
        times = least(options.runs, *(
            lambda one=one: seconds(bitcodes[name], one) for one in ALLOCATORS))
        times = dict(zip(ALLOCATORS, times))
        expected = None
        for allocator in ALLOCATORS:
            figures, output, failure = executed(name, bitcodes[name], allocator)
            expected = output if allocator == "greedy" else expected
            if not failure and output != expected:
                failure = "DIFFERENT output"
            failed |= bool(failure)
            cells = [*(figures.get(one, "-") for one in columns),
                     f"{1000 * times.get(allocator, 0):.1f}"]
            print(f"{name:8} {allocator:17}" + "".join(f"{one:>9}" for one in cells)
                  + f"  {failure or 'same'}", flush=True)
            table.append([name, allocator, *cells])
    if options.table:
        results.write("cpu-programs", "CPU programs",
                      ["program", "allocator", *columns, "allocator's time, ms"], table)
    return int(failed)
