"""Who loses and who gains by the allocator's choice of who spills: stock llc beside ours.

The same limit goes to ptxas on both sides and to the plugin as its budget; 0 is none. Each
instruction of the machine code is weighed by ten for each loop around it. For each limit
and source, and for all together, over the kernels that both sides compile:

  kernels        and those of them in which a side accesses local memory
  sum, mean      local accesses (LDL and STL) over stock's: as sums, and geometric over the
                 kernels with local accesses
  issue, those   stall cycles over stock's, geometric, over all kernels and over these
  more           kernels with local accesses above stock's by more than 2 %
  as stock's     of the kernels that ptxas spills in stock's code those whose figures are
                 stock's
  seconds        that llc takes for both sides

The figures of each kernel are written to target/spills/LIMIT.jsonl. PTX that has been
assembled before is not assembled again. A file that fails on our side alone is said, and
ends with exit code 1.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import time
from statistics import geometric_mean

import kernels
import machine_code
import results
from toolchain import ALLOCATOR, TARGET, budget, cap, in_parallel, need, run

OUTPUT = TARGET / "spills"
SIDES = ("stock", "ours")
SECONDS = 1800
MORE = 1.02
COLUMNS = ("source", "kernels", "with local accesses", "sum", "mean", "issue cycles", "those",
           "more than stock (over 2 %)", "as stock's")


def measure_side(folder, file, side, limit, temporary):
    """The kernels of a file by name, with llc's seconds; or what fails."""
    ptx = pathlib.Path(temporary) / f"{side}.ptx"
    own = [*ALLOCATOR, *budget(limit)] if side == "ours" else []
    begin = time.monotonic()
    try:
        result = run(*folder.llc(*own, file, "-o", ptx), timeout=SECONDS)
        seconds = time.monotonic() - begin
        if result.returncode:
            return None, f"llc: {result.stderr.strip()[:200]}"
        weigh = lambda: machine_code.weighed(ptx, folder.sm, *cap(limit), timeout=SECONDS)
        key = f"sm_{folder.sm} {limit}"
        found = machine_code.remembered(OUTPUT / "assembled", ptx, key, weigh)
    except subprocess.TimeoutExpired:
        return None, "takes too long"
    if found is None:
        return None, "ptxas refuses it"
    return {"seconds": seconds, "kernels": found}, None


def measure(folder, file, limit):
    """A row for each kernel of a file, llc's seconds on both sides, and a failure of ours."""
    with tempfile.TemporaryDirectory() as temporary:
        (stock, refused), (ours, failure) = (
            measure_side(folder, file, side, limit, temporary) for side in SIDES)
    if refused or failure:
        alone = failure and not refused
        return [], (0, 0), f"{folder.name}/{file.name}: limit {limit}: {failure}" if alone else None
    rows = [
        {"source": folder.name, "file": file.name, "kernel": name, "stock": one,
         "ours": ours["kernels"][name]}
        for name, one in stock["kernels"].items() if name in ours["kernels"]
    ]
    return rows, (stock["seconds"], ours["seconds"]), None


def mean(ratios):
    """The geometric mean, as text."""
    return f"{geometric_mean(ratios):.3f}" if ratios else ""


def table_row(name, rows):
    """The figures of a source's kernels, as in the table."""
    local = [row for row in rows if row["stock"]["local"] or row["ours"]["local"]]
    before, after = (sum(row[side]["local"] for row in rows) for side in SIDES)
    spilled = [row for row in rows if row["stock"]["spills"]]
    issue = lambda some: mean([row["ours"]["issue"] / row["stock"]["issue"] for row in some])
    return [
        name, len(rows), len(local), f"{after / before:.3f}" if before else "",
        # One more, so that kernels may have none.
        mean([(row["ours"]["local"] + 1) / (row["stock"]["local"] + 1) for row in local]),
        issue(rows), issue(local),
        sum(row["ours"]["local"] > MORE * row["stock"]["local"] for row in local),
        f"{sum(row['ours'] == row['stock'] for row in spilled)} of {len(spilled)}",
    ]


def summary(limit, name, rows, seconds):
    _, count, with_local, total, average, issue, those, more, same = table_row(name, rows)
    print(f"{name:12} {limit or 'none':>4} kernels {count:5} local {with_local:4} sum {total:>5}"
          f" mean {average:>5} issue {issue} those {those:>5} more {more:3} as stock's {same}"
          f" seconds {seconds[0]:.1f} {seconds[1]:.1f}", flush=True)


def add_arguments(parser):
    kernels.add_arguments(parser)
    parser.add_argument("--limits", default="128,64,32", help="registers; 0: no limit")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--table", action="store_true", help="write the documents' table")


def main(options):
    need(programs=True)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    table, failures, any_rows = [], [], False
    folders = kernels.folders(options)
    for limit in map(int, options.limits.split(",")):
        rows, seconds = [], (0, 0)
        for folder in folders:
            work = lambda file: measure(folder, file, limit)
            measured = list(in_parallel(work, folder.files, options.jobs))
            own = [row for found, _, _ in measured for row in found]
            spent = tuple(map(sum, zip(*(one for _, one, _ in measured))))
            failures += [failure for _, _, failure in measured if failure]
            if own:
                summary(limit, folder.name, own, spent)
                table.append([limit or "none", *table_row(kernels.title(folder.name), own)])
            rows += own
            seconds = tuple(map(sum, zip(seconds, spent)))
        if len(folders) > 1 and rows:
            summary(limit, "all", rows, seconds)
            table.append([limit or "none", *table_row("all", rows)])
        with open(OUTPUT / f"{limit}.jsonl", "w") as out:
            out.writelines(json.dumps(row) + "\n" for row in rows)
        any_rows |= bool(rows)
    if options.table and table:
        results.write("spills-figures", "Figures", ["limit", *COLUMNS], table)
    for failure in failures:
        print(f"failed: {failure}")
    return 1 if failures or not any_rows else 0
