"""Triton with and without the Python package: what it brings where kernels have `maxnreg`.

The kernels are those of python/tests/kernels.py, for sm_80, sm_90a and sm_100a, compiled by
each version of Triton as it comes, and with warpalloc enabled, which chooses by itself. For
each version and limit (0 is none):

  kernels        that Triton compiles, and those of them that go to local memory
  ours           how many have our code
  registers      geometric mean of the chosen code's over Triton's own
  sum, mean      local accesses, weighed by loops, over Triton's own: as sums, and geometric
                 over the kernels with local accesses
  issue          stall cycles over Triton's own, geometric, over these
  worse          kernels with more local accesses or stall cycles than Triton's own

Each version is installed from PyPI where it is not there. Exit code 1 if a kernel is worse.
"""

import json

import results
from spills import mean
from toolchain import RELEASE, ROOT, TARGET, checked, need

OUTPUT = TARGET / "triton"
COLUMNS = ("Triton", "limit", "kernels", "with local accesses", "ours", "registers", "sum", "mean",
           "issue cycles", "worse")


def measured(environment, version, program, name, *arguments):
    """The lines of figures that a program of python/tests writes, run by the Python that the
    script `environment` makes for a version."""
    python = checked(ROOT / "scripts" / environment, version).strip()
    path = f"PYTHONPATH={ROOT / 'python/src'}"
    file = OUTPUT / f"{name}.jsonl"
    program = ROOT / "python/tests" / program
    checked("env", path, python, program, RELEASE / "warpalloc-llc", file, *arguments)
    return [json.loads(line) for line in file.read_text().splitlines()]


def row(version, limit, lines):
    """One row of the table, and the kernels that are worse."""
    found = [line for line in lines if "own" in line]
    local = [(line["own"], line["chosen"]) for line in found if line["own"][1] or line["chosen"][1]]
    worse = [f"{line['kernel']} for sm_{line['sm']}" for line in found
             if line["chosen"][1] > line["own"][1] or line["chosen"][2] > line["own"][2]]
    sums = [sum(side[1] for side in sides) for sides in zip(*local)] if local else [0, 0]
    cells = [version, limit or "none", len(found), len(local), sum(line["ours"] for line in found),
             mean([line["chosen"][0] / line["own"][0] for line in found]),
             f"{sums[1] / sums[0]:.3f}" if sums[0] else "",
             mean([max(chosen[1], 1) / max(own[1], 1) for own, chosen in local]),
             mean([chosen[2] / own[2] for own, chosen in local]), len(worse)]
    return cells, worse


def add_arguments(parser):
    parser.add_argument("--versions", default="3.5.1,3.6.0,3.9.0")
    parser.add_argument("--limits", default="0,128,96,64")
    parser.add_argument("--table", action="store_true", help="write the documents' table")


def main(options):
    need(programs=True)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    limits = options.limits.split(",")
    table, missed = [], False
    print(" | ".join(COLUMNS))
    for version in options.versions.split(","):
        lines = measured("triton.sh", version, "figures.py", version, *limits)
        for limit in map(int, limits):
            cells, worse = row(version, limit, [one for one in lines if one["limit"] == limit])
            table.append(cells)
            missed |= bool(worse)
            print(" | ".join(map(str, cells)), *worse)
    if options.table:
        results.write("triton-what-it-brings", "What the package brings", COLUMNS, table)
    return int(missed)
