"""Kernels at several budgets: stock llc with the budget given to ptxas alone, against
warpalloc with the same budget, then ptxas with it and without.

Registers: of the largest kernel. Spill: bytes of spill stores and loads that ptxas reports.
Local: accesses to local memory in the machine code, which count warpalloc's own spills and
the programs' own arrays too."""

import fnmatch

import kernels
from machine_code import assemble
from toolchain import ALLOCATOR, TARGET, budget, cap, in_parallel, need, run

OUTPUT = TARGET / "gpu-compare"
SIDES = ("stock, ptxas capped", "warpalloc, ptxas capped", "warpalloc, ptxas free")


def add_arguments(parser):
    kernels.add_arguments(parser)
    parser.add_argument("--limits", default="128,64,32")
    parser.add_argument("--only", default="*", help="a pattern of files' names")
    parser.add_argument("--jobs", type=int, default=2)


def figures(ptx, sm, *flags):
    found = assemble(ptx, sm, *flags)
    if isinstance(found, str):
        return "FAIL", "-", "-"
    found = found.values()
    return (max((one.registers for one in found), default=0),
            sum(one.spill_bytes for one in found), sum(one.local for one in found))


def measure(folder, file, limit):
    """The figures of all sides."""
    base = OUTPUT / f"{folder.name}.{file.stem}.{limit}"
    stock, ours = base.with_name(base.name + ".stock.ptx"), base.with_name(base.name + ".ptx")
    found = [("-",) * 3] * 3
    if not run(*folder.llc(file, "-o", stock)).returncode:
        found[0] = figures(stock, folder.sm, *cap(limit))
    if not run(*folder.llc(*ALLOCATOR, *budget(limit), file, "-o", ours)).returncode:
        found[1] = figures(ours, folder.sm, *cap(limit))
        found[2] = figures(ours, folder.sm)
    return found


def main(options):
    need()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    print(f"{'':31}" + "  ".join(f"{side:24}" for side in SIDES))
    print(f"{'kernels':24} {'limit':>5}" + f"   {'regs':>6} {'spill':>8} {'local':>8}" * 3)
    jobs = [(folder, file, int(limit)) for folder in kernels.folders(options)
            for file in folder.files if fnmatch.fnmatch(file.stem, options.only)
            for limit in options.limits.split(",")]
    found = in_parallel(lambda job: measure(*job), jobs, options.jobs)
    for (_, file, limit), sides in zip(jobs, found):
        print(f"{file.stem:24} {limit:5}" + "".join(
            f"   {one:>6} {two:>8} {three:>8}" for one, two, three in sides), flush=True)
    return 0
