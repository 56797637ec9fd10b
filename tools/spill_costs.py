"""What ptxas makes of kernels that spill by another measure of what spilling costs.

Accesses to local memory and issue cycles, both weighed by loops, over the kernels that have such
accesses with the default; geometric means of the ratios to the default, and how many kernels
are better and worse by two percent in accesses. Values are spilled here."""

from statistics import geometric_mean

import kernels
import results
from machine_code import weighed
from toolchain import SPILLS_HERE, TARGET, budget, cap, checked, in_parallel, need

OUTPUT = TARGET / "spill-costs"
# What is compared with the default unless a command line says otherwise: knobs.
ALTERNATIVES = "ReloadCostInCycles=1 NextUseDistance=1"
# Accesses that differ by no more count as equal.
EQUAL = 1.02
COLUMNS = ["limit", "with", "kernels", "local accesses, sum", "mean", "better by 2 %",
           "worse by 2 %", "issue cycles, mean"]


def add_arguments(parser):
    kernels.add_arguments(parser)
    parser.add_argument("--knobs", default=ALTERNATIVES, help="each turned alone")
    parser.add_argument("--limits", default="128,64,32")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", metavar="NAME", help="write the documents' table NAME")


def figures(folder, file, limit, knob):
    """What ptxas makes of a file's kernels by name; nothing where it refuses them."""
    ptx = OUTPUT / f"{folder.name}.{file.stem}.{limit}.{knob or 'default'}.ptx"
    flags = [f"-warpalloc-knob={knob}"] if knob else []
    checked(*folder.llc(*SPILLS_HERE, *budget(limit), *flags, file, "-o", ptx))
    found = weighed(ptx, folder.sm, *cap(limit)) or {}
    ptx.unlink()
    return {(folder.name, file.stem, name): one for name, one in found.items()}


def compared(found, base):
    """A row of figures behind what they are of. (One more than there are is counted, as a
    kernel may have none any more.)"""
    both = [key for key in found.keys() & base.keys() if base[key]["local"]]
    local = [(found[key]["local"] + 1) / (base[key]["local"] + 1) for key in both]
    cycles = [found[key]["issue"] / base[key]["issue"] for key in both]
    total = sum(found[key]["local"] for key in both)
    local_mean, cycles_mean = (f"{geometric_mean(some):.3f}" if some else "" for some in (local, cycles))
    return [len(both), round(total), local_mean, sum(one < 1 / EQUAL for one in local),
            sum(one > EQUAL for one in local), cycles_mean]


def main(options):
    need()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    folders = kernels.folders(options)
    files = [(folder, file) for folder in folders for file in folder.files]
    print("; ".join(COLUMNS))
    table = []
    for limit in options.limits.split(","):
        base = None
        for knob in ["", *options.knobs.split()]:
            jobs = [(folder, file, limit, knob) for folder, file in files]
            found = {}
            for one in in_parallel(lambda job: figures(*job), jobs, options.jobs):
                found |= one
            base = base if base is not None else found
            row = [limit, f"`{knob}`" if knob else "nothing", *compared(found, base)]
            print("  ".join(map(str, row)), flush=True)
            table.append(row)
    if options.table:
        results.write(options.table, "Costs of spilling", COLUMNS, table)
    return 0
