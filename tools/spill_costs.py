"""What spilling costs by the allocator's own figures, with some options of llc and without.

Stores, reloads and the sum of costs over all functions; the geometric mean of the costs'
ratios to those without the options, over the functions with spills both ways; and how many of
these are better and worse by two percent. Values are spilled here."""

import math

import kernels
import results
from profiles import LINE
from toolchain import SPILLS_HERE, budget, in_parallel, need, run

# What is compared with the default unless a command line says otherwise: knobs.
ALTERNATIVES = "ReloadCostInCycles=1 NextUseDistance=1"
# Costs that differ by no more count as equal.
EQUAL = 1.02
COLUMNS = ["limit", "with", "stores", "reloads", "cost, sum", "functions with spills",
           "cost, mean", "better by 2 %", "worse by 2 %"]


def add_arguments(parser):
    kernels.add_arguments(parser)
    parser.add_argument("--knobs", default=ALTERNATIVES, help="each turned alone")
    parser.add_argument("--limits", default="128,64,32")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", metavar="NAME", help="write the documents' table NAME")


def figures(folder, file, limit, knob):
    """The statistics of a file's functions by name."""
    flags = [f"-warpalloc-knob={knob}"] if knob else []
    command = folder.llc(*SPILLS_HERE, *budget(limit), *flags, "-print-regalloc-stats", file,
                         "-o", "/dev/null")
    result = run(*command)
    found = {}
    for function, rest in LINE.findall(result.stderr):
        pairs = (pair.split("=") for pair in rest.split())
        found[folder.name, file.stem, function] = {one: float(value) for one, value in pairs}
    return found


def compared(found, base):
    """A row of figures behind what they are of."""
    total = {name: sum(one[name] for one in found.values())
             for name in ("stores", "reloads", "spill_cost")}
    both = [key for key in found.keys() & base.keys()
            if found[key]["spill_cost"] and base[key]["spill_cost"]]
    ratios = [found[key]["spill_cost"] / base[key]["spill_cost"] for key in both]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1.0
    better = sum(ratio < 1 / EQUAL for ratio in ratios)
    worse = sum(ratio > EQUAL for ratio in ratios)
    return [*(int(value) for value in total.values()), len(both), f"{mean:.3f}", better, worse]


def main(options):
    need()
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
            # What one way declines, and another does not, is no figure of either.
            there = found.keys() & base.keys()
            found = {key: found[key] for key in there}
            row = [limit, f"`{knob}`" if knob else "nothing", *compared(found, base)]
            print("  ".join(map(str, row)), flush=True)
            table.append(row)
    if options.table:
        results.write(options.table, "Costs of spilling", COLUMNS, table)
    return 0
