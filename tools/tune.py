"""What `warpalloc tune` finds: stock's code beside what it chooses, kernel by kernel.

Which files are worth it shows stock's code, which is made of all of them first: those with
the most accesses to local memory, each weighed by ten for each loop around it, until they
have the given share of all. Files whose code has none are not tuned, as nothing can
have fewer. For each limit, 0 is none, and source:

  files, kernels       that were tuned
  chosen               kernels that got something else than stock
  local: stock, tuned  sums, the latter by stock's loops, and their ratio
  issue cycles         over stock's, geometric
  registers, warps     in the mean, stock's and the chosen ones
  worse                kernels with more accesses or cycles, or fewer warps, than stock's

and beneath them what all kernels together come to where those that were not tuned stay as
stock has them. What is printed of each kernel is also in target/tune/LIMIT.txt. Exits with 1
if a kernel is worse, or a file fails.
"""

import dataclasses
import pathlib
import re
import sys
import tempfile
from statistics import geometric_mean, mean

import kernels
import results
import spills
from toolchain import RELEASE, TARGET, VENV, in_parallel, need, run

OUTPUT = TARGET / "tune"
FIGURES = ("local", "issue", "warps", "registers")
LINE = re.compile(r"(\S+): (.*): " + ", ".join(rf"{name} (\d+) -> (\d+)" for name in FIGURES))
COLUMNS = ("limit", "source", "files", "kernels", "chosen", "local accesses: stock", "tuned",
           "ratio", "issue cycles", "registers: stock", "tuned", "warps: stock", "tuned", "worse")


@dataclasses.dataclass
class Tuned:
    """A kernel: what it is compiled with, and each figure as stock has it and as tuned."""

    source: str
    file: str
    options: str
    figures: dict

    def is_worse(self):
        worse = lambda name: self.figures[name][1] > self.figures[name][0]
        return worse("local") or worse("issue") or self.figures["warps"][1] < self.figures["warps"][0]


def local_of_stock(folder, file, limit):
    """Accesses to local memory of a file's kernels as stock has them, by loops; none if llc or
    ptxas refuses it."""
    with tempfile.TemporaryDirectory() as temporary:
        found, _ = spills.measure_side(folder, file, "stock", limit, temporary)
    return sum(kernel["local"] for kernel in found["kernels"].values()) if found else 0


def tune(folder, file, limit, jobs):
    """The kernels of a file, or what went wrong."""
    with tempfile.TemporaryDirectory() as temporary:
        result = run(
            RELEASE / "warpalloc", "tune", file, "--sm", f"sm_{folder.sm}", "--jobs", jobs,
            "--ptxas", VENV / "ptxas", "-o", pathlib.Path(temporary) / "choices.json",
            *(["--cap", limit] if limit else []), "--", *folder.flags)
    if result.returncode:
        return f"{folder.name}/{file.name}: {result.stderr.strip()[:300]}"
    found = [LINE.fullmatch(line) for line in result.stdout.splitlines()[:-1]]
    pairs = lambda numbers: dict(zip(FIGURES, zip(numbers[::2], numbers[1::2])))
    return [
        Tuned(folder.name, file.name, one[2], pairs([int(value) for value in one.groups()[2:]]))
        for one in found
    ]


def worth_tuning(stock, share):
    """Files with the most accesses first, until what is left is less than the share allows."""
    total, sum_so_far, chosen = sum(stock.values()), 0, []
    for file, local in sorted(stock.items(), key=lambda one: -one[1]):
        if sum_so_far >= share * total or not local:
            break
        chosen.append(file)
        sum_so_far += local
    return chosen


def ratio(now, before):
    return f"{now / before:.3f}" if before else ""


def table_row(limit, name, rows):
    of = lambda figure: zip(*(row.figures[figure] for row in rows))
    before, now = map(sum, of("local"))
    issue = geometric_mean([row.figures["issue"][1] / row.figures["issue"][0] for row in rows])
    means = [f"{mean(side):.1f}" for figure in ("registers", "warps") for side in of(figure)]
    return [
        limit or "none", name, len({(row.source, row.file) for row in rows}), len(rows),
        sum(row.options != "stock" for row in rows), before, now, ratio(now, before),
        f"{issue:.3f}", *means, sum(row.is_worse() for row in rows),
    ]


def measure(limit, share, folders, options):
    """The rows of a limit's table, and what failed."""
    files = [(folder, file) for folder in folders for file in folder.files]
    stock = dict(zip(files, in_parallel(
        lambda one: local_of_stock(*one, limit), files, options.jobs)))
    rows, failures = [], []
    with open(OUTPUT / f"{limit}.txt", "w") as out:
        for folder, file in worth_tuning(stock, share):
            found = tune(folder, file, limit, options.jobs)
            if isinstance(found, str):
                failures.append(found)
                continue
            rows += found
            for row in found:
                print(row.source, row.file, row.options, row.figures, file=out, flush=True)
            print(*table_row(limit, f"{folder.name}/{file.name}", found), flush=True)
    table = []
    for folder in folders:
        if own := [row for row in rows if row.source == folder.name]:
            table.append(table_row(limit, kernels.title(folder.name), own))
    if rows:
        table.append(table_row(limit, "all that were tuned", rows))
        before, now = (sum(row.figures["local"][side] for row in rows) for side in (0, 1))
        total = sum(stock.values())
        table.append([limit or "none", "all", len(files), *[""] * 2, total, total - before + now,
                      ratio(total - before + now, total), *[""] * 6])
    return table, failures, rows


def add_arguments(parser):
    kernels.add_arguments(parser)
    parser.add_argument("--limits", default="0,128,64", help="registers; 0: no limit")
    parser.add_argument("--shares", default="0.9,0.7,0.9",
                        help="for each limit, of all local accesses those of the files which are "
                        "tuned (0.9,0.7,0.9)")
    parser.add_argument("--jobs", type=int, default=2, help="programs that run at once (2)")
    parser.add_argument("--table", action="store_true", help="write the documents' table")


def main(options):
    need(programs=True)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    table, failures, worse = [], [], 0
    folders = kernels.folders(options)
    limits, shares = options.limits.split(","), options.shares.split(",")
    if len(limits) != len(shares):
        sys.exit("--limits and --shares must be as many")
    for limit, share in zip(map(int, limits), map(float, shares)):
        rows, failed, tuned = measure(limit, share, folders, options)
        for row in rows:
            print(*row)
        table += rows
        failures += failed
        worse += sum(row.is_worse() for row in tuned)
    if options.table and table:
        results.write("choices-what-tune-finds", "What tune finds", COLUMNS, table)
    for failure in failures:
        print(f"failed: {failure}")
    return 1 if worse or failures else 0
