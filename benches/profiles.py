#!/usr/bin/env python3
"""Sums up what profiles.sh left: outcomes, registers used against registers live, and
one select against the other. Exits with 1 if a run failed without a clear error or a
bound is missed."""

import math
import re
import sys
from collections import defaultdict
from pathlib import Path

# Registers used for each that is live, without a limit.
MOST_MEAN, MOST = 1.03, 1.25
# How much the selects' registers may differ.
MOST_DIFFERENCE = 0.03
WHOLE = "255"

LINE = re.compile(r"^warpalloc: function=(\S+) (.*)$", re.M)
# What the plugin says when a function cannot be allocated as it was asked to.
DECLINED = re.compile(r"error: warpalloc: in function '[^']+': ")
WRONG = re.compile(r"is wrong|internal error|panicked|LLVM ERROR|Stack dump", re.I)


def outcome(code, text):
    """What came of a run of llc."""
    if WRONG.search(text):
        return "failed"
    if code == 0:
        return "allocated"
    return "declined" if code == 1 and DECLINED.search(text) else "failed"


def mean(ratios):
    """The geometric mean."""
    ratios = list(ratios)
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1.0


def read(out):
    """Outcomes by run, and the statistics by run, file and function."""
    outcomes, figures = defaultdict(lambda: defaultdict(list)), defaultdict(dict)
    for path in sorted(out.glob("*/*.code")):
        run = tuple(path.parent.name.split("."))
        name = path.stem
        text = path.with_suffix(".log").read_text(errors="replace")
        outcomes[run][outcome(int(path.read_text()), text)].append(name)
        for function, rest in LINE.findall(text):
            pairs = (pair.split("=") for pair in rest.split())
            figures[run][name, function] = {key: float(value) for key, value in pairs}
    return outcomes, figures


def main():
    outcomes, figures = read(Path(sys.argv[1]))
    missed = False
    print(f"{'profile':8} {'select':9} {'limit':>5} {'files':>6} {'allocated':>9} "
          f"{'declined':>8} {'failed':>6} {'spill cost':>12}  used/live mean, worst")
    runs = sorted(outcomes, key=lambda run: (run[0], run[1], -int(run[2])))
    for run in runs:
        counts = {kind: len(outcomes[run][kind]) for kind in ("allocated", "declined", "failed")}
        cost = sum(one["spill_cost"] for one in figures[run].values())
        line = (f"{run[0]:8} {run[1]:9} {run[2]:>5} {sum(counts.values()):6} "
                f"{counts['allocated']:9} {counts['declined']:8} {counts['failed']:6} {cost:12.0f}")
        if run[2] == WHOLE:
            ratios = sorted((one["used.R"] / one["maxlive.R"], key)
                            for key, one in figures[run].items() if one.get("maxlive.R"))
            average = mean(ratio for ratio, _ in ratios)
            worst, (name, function) = ratios[-1] if ratios else (1.0, ("", ""))
            over = sum(ratio > MOST for ratio, _ in ratios)
            line += f"  {average:.4f}, {worst:.3f} ({name}: {function}), {over} above {MOST}"
            missed |= average > MOST_MEAN or over > 0
        print(line)
        for name in outcomes[run]["failed"]:
            print(f"  failed: {name}")
            missed = True
    for profile in sorted({run[0] for run in runs}):
        graph, fatpoint = (figures[profile, select, WHOLE] for select in ("graph", "fatpoint"))
        both = [key for key in graph if key in fatpoint and graph[key].get("used.R")]
        if not both:
            continue
        ratio = mean(fatpoint[key]["used.R"] / graph[key]["used.R"] for key in both)
        print(f"{profile}: fat-point uses {ratio:.4f} of the registers of graph, "
              f"geometric mean of {len(both)} functions")
        missed |= abs(ratio - 1) > MOST_DIFFERENCE
    sys.exit(missed)


if __name__ == "__main__":
    main()
