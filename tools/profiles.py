"""Every profile with both selects and orders at several budgets, checked symbolically:
what allocates, what is declined with a clear error, and how many registers are used for what
is live.

Registers used are compared with registers live (used.R, maxlive.R) without a limit, and one
select with the other. Of all functions' values, as many percent as are printed are in memory
somewhere, and have one register all along. Without folders the examples are taken, those of tensor instructions
too. Exit code 1 if something crashed, was wrong or gave no clear error, or if a bound is
missed."""

import collections
import itertools
import re
import subprocess
from statistics import geometric_mean

import kernels
import results
from toolchain import DECLINED, SPILLS_HERE, TARGET, budget, checked, in_parallel, need, run

# Registers used for each that is live, without a limit.
MOST_MEAN, MOST = 1.01, 1.25
# How much the selects' registers may differ.
MOST_DIFFERENCE = 0.03
WHOLE = "255"
COLUMNS = ["profile", "select", "order", "limit", "files", "allocated", "declined", "failed",
           "used/live, mean", "worst"]

OUTPUT = TARGET / "profiles"
SECONDS = 600
# Examples of tensor instructions, each with its SM.
TENSOR = {"mma_sync": "80", "wgmma": "90a", "wmma": "70"}

LINE = re.compile(r"^warpalloc: function=(\S+) (.*)$", re.M)
WRONG = re.compile(r"is wrong|internal error|panicked|LLVM ERROR|Stack dump", re.I)


def outcome(code, text):
    """What came of a run of llc."""
    if WRONG.search(text):
        return "failed"
    if code == 0:
        return "allocated"
    return "declined" if code == 1 and DECLINED.search(text) else "failed"


def mean(ratios):
    """The geometric mean; 1 of nothing."""
    ratios = list(ratios)
    return geometric_mean(ratios) if ratios else 1.0


def share(functions, name):
    """The percentage of that name over all functions' values; none without values."""
    values = sum(one.get("values", 0) for one in functions)
    part = sum(one.get("values", 0) * one.get(name, 0) for one in functions)
    return f"{part / values:.2f}" if values else "-"


def tensor_examples(folder):
    """Folders, one for each SM, of the examples of tensor instructions as bitcode."""
    for name, sm in TENSOR.items():
        path = folder / f"sm_{sm}"
        path.mkdir(parents=True, exist_ok=True)
        checked("clang-22", "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
                "-std=c++17", "-O2", f"--cuda-gpu-arch=sm_{sm}", "--cuda-feature=+ptx88",
                "-emit-llvm", "-c", f"examples/tensor/{name}.cu", "-o", path / f"{name}.bc")
        yield kernels.Folder(path, sm)


def compiled(folder, file, profile, select, order, limit):
    """The exit code of llc, none where it does not end in time, and its messages."""
    flags = [*SPILLS_HERE, "-verify-regalloc", "-print-regalloc-stats",
             f"-warpalloc-profile={profile}", f"-warpalloc-select={select}",
             f"-warpalloc-order={order}", *budget(limit)]
    try:
        result = run("nice", *folder.llc(*flags, file, "-o", "/dev/null"), timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None, ""
    return result.returncode, result.stderr


def measured(options):
    """Outcomes by run, and the statistics by run, file and function."""
    folders = kernels.folders(options)
    if not options.directories:
        folders += tensor_examples(OUTPUT)
    runs = itertools.product(options.profiles.split(), options.selects.split(),
                             options.orders.split(), options.limits.split(","))
    jobs = [(key, folder, file) for key in runs for folder in folders for file in folder.files]
    found = in_parallel(lambda job: compiled(*job[1:], *job[0]), jobs, options.jobs)
    outcomes = collections.defaultdict(lambda: collections.defaultdict(list))
    figures = collections.defaultdict(dict)
    for (key, folder, file), (code, text) in zip(jobs, found):
        name = f"{folder.name}/{file.stem}"
        outcomes[key][outcome(code, text)].append(name)
        for function, rest in LINE.findall(text):
            pairs = (pair.split("=") for pair in rest.split())
            figures[key][name, function] = {one: float(value) for one, value in pairs}
    return outcomes, figures


def add_arguments(parser):
    kernels.add_arguments(parser)
    parser.add_argument("--profiles", default="auto ptxas cicc")
    parser.add_argument("--selects", default="graph fatpoint")
    parser.add_argument("--orders", default="lists degrees")
    parser.add_argument("--limits", default="255,128,64,32")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", action="store_true", help="write the documents' table")


def main(options):
    need()
    outcomes, figures = measured(options)
    missed, table = False, []
    print(f"{'profile':8} {'select':9} {'order':8} {'limit':>5} {'files':>6} {'allocated':>9} "
          f"{'declined':>8} {'failed':>6} {'spill cost':>12} {'spilled':>7} {'coloured':>8}  "
          "used/live mean, worst")
    runs = sorted(outcomes, key=lambda run: (*run[:3], -int(run[3])))
    for run in runs:
        counts = {kind: len(outcomes[run][kind]) for kind in ("allocated", "declined", "failed")}
        row = [*run, sum(counts.values()), *counts.values()]
        cost = sum(one["spill_cost"] for one in figures[run].values())
        line = (f"{run[0]:8} {run[1]:9} {run[2]:8} {run[3]:>5} {sum(counts.values()):6} "
                f"{counts['allocated']:9} {counts['declined']:8} {counts['failed']:6} {cost:12.0f} "
                f"{share(figures[run].values(), 'spill_rate'):>7} "
                f"{share(figures[run].values(), 'coloured'):>8}")
        if run[3] == WHOLE:
            ratios = sorted((one["used.R"] / one["maxlive.R"], key)
                            for key, one in figures[run].items() if one.get("maxlive.R"))
            average = mean(ratio for ratio, _ in ratios)
            worst, (name, function) = ratios[-1] if ratios else (1.0, ("", ""))
            over = sum(ratio > MOST for ratio, _ in ratios)
            line += f"  {average:.4f}, {worst:.3f} ({name}: {function}), {over} above {MOST}"
            missed |= average > MOST_MEAN or over > 0
            row += [f"{average:.4f}", f"{worst:.3f}"]
        print(line)
        table.append([*row, "", ""][: len(COLUMNS)])
        for name in outcomes[run]["failed"]:
            print(f"  failed: {name}")
            missed = True
    for profile, order in sorted({(run[0], run[2]) for run in runs}):
        graph, fatpoint = (figures[profile, select, order, WHOLE]
                           for select in ("graph", "fatpoint"))
        both = [key for key in graph if key in fatpoint and graph[key].get("used.R")]
        if not both:
            continue
        ratio = mean(fatpoint[key]["used.R"] / graph[key]["used.R"] for key in both)
        print(f"{profile}, {order}: fat-point uses {ratio:.4f} of the registers of graph, "
              f"geometric mean of {len(both)} functions")
        missed |= abs(ratio - 1) > MOST_DIFFERENCE
    if options.table:
        results.write("profiles-allocated", "Profiles", COLUMNS, table)
    return int(missed)
