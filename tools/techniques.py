"""What each technique brings: kernels as ptxas leaves them, and programs for x86-64, all
compiled again with the technique left out.

Kernels: loads from and stores to local memory in the machine code, and all instructions as
ratio to all techniques. x86-64 (SQLite, Lua, zlib): stores and reloads, folded ones and
values computed anew included, their cost by block frequency as ratio to all techniques, and
copies left. Values are spilled here."""

import collections
import re
import shutil

import corpus
import kernels
import results
from machine_code import assemble
from toolchain import (RELEASE, SPILLS_HERE, TARGET, budget, cap, checked, in_parallel, need, run)

OUTPUT = TARGET / "techniques"
PROGRAMS = ("sqlite", "lua", "zlib")
# What is left out, as -warpalloc-disable has it, and how the document names it.
TECHNIQUES = {
    "": "nothing",
    "split": "splitting (`split`)",
    "remat": "rematerialisation (`remat`)",
    "split,remat": "both",
    "remat-chains": "chains of computations alone (`remat-chains`)",
    "fold": "operands in memory (`fold`)",
    "reorder": "another order of instructions (`reorder`)",
    "vectors": "vector accesses to slots (`vectors`)",
    "share-slots": "one slot for several values (`share-slots`)",
    "uniform": "uniform registers (`uniform`)",
    "low-halves": "one register for half a pair (`low-halves`)",
    "pack-predicates": "predicates as bits (`pack-predicates`)",
    "spill-reserve": "registers left to `ptxas` (`spill-reserve`)",
    "redundant-reloads": "loads of what a register holds (`redundant-reloads`)",
    "hints": "`hints`",
    "coalesce": "coalescing of our own (`coalesce`)",
    "tuples": "`tuples`, by now left out unless asked for",
}
# As many files as one command line takes on every system.
FILES_OF_REPLAY = 1000
ACCESSES = ("stores", "reloads", "folded", "remats")


def add_arguments(parser):
    kernels.add_arguments(parser)
    parser.add_argument("--limits", default="64,32")
    parser.add_argument("--techniques", help="left out in turn, separated by spaces; none: all")
    parser.add_argument("--no-cpu", dest="cpu", action="store_false", help="kernels alone")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", metavar="NAME", help="write the documents' table NAME")


def assembled(folder, file, limit, left_out):
    """Accesses to local memory and instructions of a file's kernels."""
    ptx = OUTPUT / f"{folder.name}.{file.stem}.{limit}.{left_out or 'nothing'}.ptx"
    flags = [f"-warpalloc-disable={left_out}"] if left_out else []
    checked(*folder.llc(*SPILLS_HERE, *budget(limit), *flags, file, "-o", ptx))
    found = assemble(ptx, folder.sm, *cap(limit))
    if isinstance(found, str):
        raise SystemExit(f"{file}: {found}")
    ptx.unlink()
    return sum(one.local for one in found.values()), sum(one.instructions for one in found.values())


def dumped():
    """The programs' functions as the allocator sees them."""
    files, bitcodes = [], corpus.build()
    for name in PROGRAMS:
        folder = OUTPUT / "cpu" / name
        # What another version has dumped is none of this one's functions.
        shutil.rmtree(folder, ignore_errors=True)
        checked("llc-22", "-O2", "-relocation-model=static", *SPILLS_HERE,
                f"-warpalloc-dump={folder}", bitcodes[name], "-o", "/dev/null")
        files += sorted(path for path in folder.rglob("*") if path.is_file())
    return files


def replayed(files, left_out):
    """Accesses, their cost and copies left over all functions."""
    flags = [word for one in left_out.split(",") if one for word in ("--disable", one)]
    sums = collections.Counter()
    for start in range(0, len(files), FILES_OF_REPLAY):
        some = files[start : start + FILES_OF_REPLAY]
        result = run(RELEASE / "warpalloc", "replay", *flags, *some)
        if result.returncode:
            raise SystemExit(result.stderr)
        for key, value in re.findall(r"(\w+)=([\d.]+)", result.stdout + result.stderr):
            sums[key] += float(value)
    return sum(sums[key] for key in ACCESSES), sums["spill_cost"], sums["copies_left"]


def ratio(value, base):
    return f"{value / base:.3f}" if base else "-"


def main(options):
    need()
    (OUTPUT / "cpu").mkdir(parents=True, exist_ok=True)
    folders = kernels.folders(options)
    limits = [int(limit) for limit in options.limits.split(",")]
    names = ["", *options.techniques.split()] if options.techniques else list(TECHNIQUES)
    files = dumped() if options.cpu else []
    columns = ["left out"]
    for limit in limits:
        columns += [f"GPU, {limit}: local", "all"]
    columns += ["x86-64: accesses", "cost", "copies"] * options.cpu
    print("; ".join(columns))
    base, table = {}, []
    for left_out in names:
        row = [TECHNIQUES.get(left_out, f"`{left_out}`")]
        for limit in limits:
            jobs = [(folder, file, limit, left_out) for folder in folders for file in folder.files]
            found = in_parallel(lambda job: assembled(*job), jobs, options.jobs)
            local, instructions = map(sum, zip(*found))
            row += [local, ratio(instructions, base.setdefault(limit, instructions))]
        if options.cpu:
            accesses, cost, copies = replayed(files, left_out)
            row += [int(accesses), ratio(cost, base.setdefault("cpu", cost)), int(copies)]
        print(f"{row[0]:50}" + "".join(f"{cell:>10}" for cell in row[1:]), flush=True)
        table.append(row)
    if options.table:
        results.write(options.table, "What each technique brings", columns, table)
    return 0
