"""How well ptxas's registers are predicted, each source of kernels being left out in turn.

What is predicted is what ptxas reports for the PTX of llc without the plugin, without a cap.
The measures of the kernels come from the plugin's log. They are kept, with what ptxas
reports, as lines of JSON in the file of --rows; kernels in it are not compiled again.

The parameters minimise the sum of relative errors, each source having the weight of the
square root of the number of its kernels.
"left out" is what they predict for a source when fitted to the others; sources whose names
begin alike but for digits (triton, triton90) share kernels and are left out together.
--fit prints the parameters fitted to all, for passes/src/prediction/parameters.rs.
"""

import argparse
import json
import math
import pathlib
import re
import sys

import kernels
import results
from machine_code import reported, resident_warps
from toolchain import ALLOCATOR, TARGET, in_parallel, need, ptxas, run

OUTPUT = TARGET / "predict-registers"

MOST = 255

# See passes/src/prediction/parameters.rs.
EMPTY, ALL_WARPS, REACH, FITS = 4, 32, 3, 26
EVEN_BELOW, BESIDE_COPIES, UNIFORM_SINCE = 24, 5, 90
MOST_LEAST, MOST_NAMED, MOST_LOADS, MOST_COPIES = 27, 40, 16, 16
SUBROUTINE, PLENTY = 14, 128
SMALL = ["constant", "least", "named", "loads", "copies", "doubling", "shuffle",
         "division_integer", "rounded_single", "division_double", "below_subroutine", "local"]
LARGE = ["constant", "least", "mean", "loads", "uniform"]
# Kernels that the two sums are fitted to: those about which they decide.
SMALL_REPORTED, SMALL_LEAST, LARGE_LEAST = 40, 34, 27

# The figures of a row of the documents' table, one cell each.
CELLS = "{:.1f} %|{:.1f} %|{:.3f}|{:.1f} %"
# Sources with fewer kernels say little about a quantile.
ENOUGH_KERNELS = 30
WANTED = "wanted in every source: median <= 8, 90th <= 25, Spearman >= 0.95, warps >= 85"


def command(*arguments, **environment):
    """What a command prints, or RuntimeError."""
    result = run(*arguments, **environment)
    if result.returncode:
        raise RuntimeError(f"{arguments[0]}: {result.stderr[-500:]}")
    return result.stdout + result.stderr


def rows_of(folder, file):
    """For each kernel of a file its measures and what ptxas reports."""
    ptx = OUTPUT / f"{folder.name}.{file.stem}.sm_{folder.sm}.ptx"
    try:
        command(*folder.llc(file, "-o", ptx))
        report = command(*ptxas(folder.sm, "-v", "-o", "/dev/null", ptx))
        plugin = [*ALLOCATOR, "-print-regalloc-stats", file, "-o", "/dev/null"]
        log = command(*folder.llc(*plugin), NO_COLOR="1",
                      WARPALLOC_LOG="passes::prediction=debug,warpalloc::module=debug")
    except RuntimeError as error:
        # Some kernels are written for one SM alone.
        print(f"left out for sm_{folder.sm}: {file}: {error}", file=sys.stderr)
        return []
    measured = {}
    for function, rest in re.findall(r'predicted function="([^"]*)" (.*)$', log, re.M):
        measured.setdefault(function, dict(re.findall(r"(\w+)=([\w.]+)(?= |$)", rest)))
    called = r'predicted with what is called function="([^"]*)" registers=(\d+)'
    for function, registers in re.findall(called, log):
        measured.get(function, {})["registers"] = registers
    common = {"source": folder.name, "file": file.name, "sm": folder.sm}
    return [{**measured[name], **common, "kernel": name, "reported": one.registers}
            for name, one in reported(report).items() if name in measured]


def number(row, name):
    """A measure; what is true or false counts 1 or 0."""
    return {"true": 1.0, "false": 0.0}.get(row[name]) if row[name] in ("true", "false") \
        else float(row[name])


def prepare(row):
    """The terms of both sums."""
    get = lambda name: number(row, name)
    row["least_"] = get("least")
    small = {
        "constant": 1.0,
        "least": min(get("least"), MOST_LEAST),
        "named": min(get("named"), MOST_NAMED),
        "loads": min(get("loads"), MOST_LOADS),
        "copies": (not get("asked")) * min(max(0, get("unrolled") - get("least")), MOST_COPIES),
        "doubling": math.log2(get("instructions") + 1),
        "below_subroutine": get("division_double") * max(0, SUBROUTINE - get("least")),
    }
    large = {
        "constant": 1.0,
        "loads": get("loads") * (get("asked") > PLENTY),
        "uniform": float(get("sm") >= UNIFORM_SINCE),
    }
    # The other terms are measures as they are.
    row["small"] = [small[one] if one in small else get(one) for one in SMALL]
    row["large"] = [large[one] if one in large else get(one) for one in LARGE]
    row["group"] = re.sub(r"\d+$", "", row["source"])
    row["fits_small"] = fittable(row) and row["reported"] <= SMALL_REPORTED \
        and row["least_"] <= SMALL_LEAST
    row["fits_large"] = fittable(row) and row["least_"] > LARGE_LEAST \
        and row["reported"] < min(MOST - 1, get("most"))


def fittable(row):
    return not number(row, "calls") and bool(number(row, "acts")) \
        and not number(row, "moves")


def predict(row, small, large):
    """What passes/src/prediction/mod.rs does, with these weights."""
    get = lambda name: number(row, name)
    found = EMPTY
    if get("acts"):
        total = lambda terms, weights: sum(a * b for a, b in zip(terms, weights))
        found = total(row["large"], large)
        if found <= ALL_WARPS + REACH or row["least_"] <= FITS:
            found = min(total(row["small"], small), ALL_WARPS)
        unit = 2 if found < EVEN_BELOW else 1
        found = max(int(math.floor(found / unit + 0.5)) * unit, EMPTY)
        if get("unrolled") and get("asked") > ALL_WARPS:
            found = max(found, min(get("unrolled") + BESIDE_COPIES, get("asked")))
    if get("calls"):
        # What survives calls, and what is called, is not modelled here.
        found = max(found, get("registers"))
    if get("moves") and get("most") < MOST:
        found = get("most")
    return int(min(found, get("most"), MOST))


def solve(matrix, right):
    """The solution of linear equations, by elimination."""
    size = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for at in range(size):
        best = max(range(at, size), key=lambda one: abs(rows[one][at]))
        rows[at], rows[best] = rows[best], rows[at]
        if abs(rows[at][at]) < 1e-12:
            continue
        for other in range(size):
            if other != at:
                factor = rows[other][at] / rows[at][at]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at])]
    return [rows[at][size] / rows[at][at] if abs(rows[at][at]) >= 1e-12 else 0.0
            for at in range(size)]


def least_absolute(rows, terms):
    """Weights with the least sum of relative errors: least squares, reweighted."""
    counts = {}
    for row in rows:
        counts[row["group"]] = counts.get(row["group"], 0) + 1
    base = [1 / row["reported"] / counts[row["group"]] ** 0.5 for row in rows]
    size = len(rows[0][terms])
    found = [0.0] * size
    for turn in range(60):
        matrix = [[0.0] * size for _ in range(size)]
        right = [0.0] * size
        for row, weight in zip(rows, base):
            values = row[terms]
            error = sum(a * b for a, b in zip(values, found)) - row["reported"]
            weight = weight if turn == 0 else weight / max(abs(error), 0.05)
            for i, value in enumerate(values):
                if value:
                    right[i] += weight * value * row["reported"]
                    scaled = weight * value
                    line = matrix[i]
                    for j, other in enumerate(values):
                        line[j] += scaled * other
        for i in range(size):
            matrix[i][i] += 1e-9
        found = solve(matrix, right)
    return found


def fit(rows):
    return [least_absolute([row for row in rows if row["fits_" + terms]], terms)
            for terms in ("small", "large")]


def ranks(values):
    """Ranks from 0, equal values sharing their mean."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in range(start, end):
            found[order[place]] = (start + end - 1) / 2
        start = end
    return found


def spearman(left, right):
    left, right = ranks(left), ranks(right)
    mean = (len(left) - 1) / 2
    covariance = sum((a - mean) * (b - mean) for a, b in zip(left, right))
    squares = [sum((a - mean) ** 2 for a in side) for side in (left, right)]
    return covariance / (squares[0] * squares[1]) ** 0.5 if all(squares) else 0.0


def figures(rows, what):
    pairs = [(row["reported"], row[what]) for row in rows]
    errors = sorted(abs(found - actual) / actual for actual, found in pairs)
    right = sum(resident_warps(actual) == resident_warps(found) for actual, found in pairs)
    return (
        len(pairs),
        100 * errors[len(errors) // 2],
        100 * errors[min(len(errors) - 1, len(errors) * 9 // 10)],
        spearman(*zip(*pairs)),
        100 * right / len(pairs),
    )


def report(rows, what, title):
    """The figures of each source and SM, and the worst of those with enough kernels; both
    for the documents' table too."""
    table = []
    print(f"\n{title:28} {'kernels':>7} {'median':>7} {'90th':>7} {'Spearman':>8} {'warps':>7}")
    worst = []
    for source, sm in sorted({(row["source"], row["sm"]) for row in rows}):
        of_source = [row for row in rows if (row["source"], row["sm"]) == (source, sm)]
        found = figures(of_source, what)
        print("{:20} sm_{:5}".format(source, sm)
              + "{:7} {:6.1f}% {:6.1f}% {:8.3f} {:6.1f}%".format(*found))
        of_source = {row["arch"].removeprefix("sm_") for row in of_source}
        table.append([kernels.title(source), ", ".join(sorted(of_source)), found[0],
                      *CELLS.format(*found[1:]).split("|")])
        if found[0] >= ENOUGH_KERNELS:
            worst.append(found)
    if worst:
        columns = list(zip(*worst))
        print(f"{'worst':28} {'':7} {max(columns[1]):6.1f}% {max(columns[2]):6.1f}% "
              f"{min(columns[3]):8.3f} {min(columns[4]):6.1f}%")
        worst = max(columns[1]), max(columns[2]), min(columns[3]), min(columns[4])
        table.append([title, "", "", *CELLS.format(*worst).split("|")])
    return table


def collected(options):
    """The rows of the file, and of the kernels that are not in it."""
    rows = []
    if options.rows and options.rows.exists():
        rows = [json.loads(line) for line in options.rows.read_text().splitlines()]
    known = {(row["source"], row["file"], row["sm"]) for row in rows}
    jobs = {}
    for sm in options.sm.split(","):
        one = argparse.Namespace(sm=sm, directories=options.directories)
        for folder in kernels.folders(one) if options.directories or not rows else []:
            for file in folder.files:
                key = (folder.name, file.name, folder.sm)
                if key not in known:
                    jobs.setdefault(key, (folder, file))
    for found in in_parallel(lambda job: rows_of(*job), jobs.values(), options.jobs):
        rows += found
        if options.rows:
            with options.rows.open("a") as output:
                output.writelines(json.dumps(row) + "\n" for row in found)
    return rows


def add_arguments(parser):
    kernels.add_arguments(parser, sm="80,90")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rows", type=pathlib.Path, metavar="FILE",
                        help="measures, kept between runs")
    parser.add_argument("--fit", action="store_true", help="print the parameters")
    parser.add_argument("--table", action="store_true", help="write the documents' table")
    parser.add_argument("--worst", type=int, default=0, help="list the worst kernels")


def main(options):
    need()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    rows = collected(options)
    if not rows:
        sys.exit("no kernels")
    for row in rows:
        # With the SM's letter a number no more.
        row["arch"], row["sm"] = row["sm"], re.sub(r"\D", "", str(row["sm"]))
        prepare(row)
        row["built"], row["MaxLive"] = int(row["registers"]), max(1, int(row["named"]))
    report(rows, "built", "regs, as it is")
    of_max_live = report(rows, "MaxLive", "MaxLive")
    groups = sorted({row["group"] for row in rows})
    if len(groups) > 1:
        for group in groups:
            weights = fit([row for row in rows if row["group"] != group])
            for row in rows:
                if row["group"] == group:
                    row["left out"] = predict(row, *weights)
        table = report(rows, "left out", "regs, when left out")
        if options.table:
            *table, worst = table
            worst = [f"**{cell}**" if cell else "" for cell in
                     [f"worst with {ENOUGH_KERNELS} kernels or more", *worst[1:]]]
            max_live = ["MaxLive of PTX, worst", *of_max_live[-1][1:]]
            results.write("prediction-left-out", "Figures",
                          ["source left out", "SM", "kernels", "median error",
                           "90th percentile", "Spearman", "warps"], [*table, worst, max_live])
        print(WANTED)
    if options.fit:
        for title, names, weights in zip(("SMALL", "LARGE"), (SMALL, LARGE), fit(rows)):
            print(title, ", ".join(f"{a}: {b:.2f}" for a, b in zip(names, weights)))
    error = lambda row: abs(row["built"] - row["reported"]) / row["reported"]
    for row in sorted(rows, key=error)[::-1][: options.worst]:
        print(f"{row['source']} sm_{row['arch']} ptxas {row['reported']} "
              f"predicted {row['built']} {row['kernel']}")
    return 0
