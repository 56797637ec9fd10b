"""torch.compile with and without the Python package: registers and local accesses of Inductor's
kernels.

The models are those of python/tests/inductor_steps.py, compiled for sm_80 and sm_90a with a
stand-in for the GPU, by torch as it comes and with warpalloc enabled. For each model, SM and
version of torch, of all kernels of which a configuration would be loaded:

  kernels, ours  how many there are, and how many have our code
  registers      of a thread: Triton's own and the chosen code's, as sums over the kernels
  local, issue   local accesses and stall cycles, weighed by loops, in the same way

Rows without local accesses are summed up in one. Each version is installed from PyPI where it is
not there. Exit code 1 if a kernel is worse.
"""

import results
from toolchain import need
from triton import OUTPUT, is_worse, measured, pairs

SMS = ("80", "90")
COLUMNS = ("torch", "model", "SM", "kernels", "ours", "registers", "local accesses", "issue cycles")
REST = "all others"


def row(version, model, sm, lines):
    """One row of the table."""
    ours = sum(line["ours"] for line in lines)
    return [version, model, sm, len(lines), ours, *pairs(lines)]


def rows(version, lines):
    """The table of one version."""
    groups = {}
    for line in lines:
        local = line["own"][1] or line["chosen"][1]
        key = (line["model"].replace("_", " "), f"sm_{line['sm']}") if local else (REST, "both")
        groups.setdefault(key, []).append(line)
    return [row(version, *key, group) for key, group in sorted(groups.items())]


def add_arguments(parser):
    parser.add_argument("--versions", default="2.9.1,2.10.0,2.15.0")
    parser.add_argument("--table", action="store_true", help="write the documents' table")


def main(options):
    need(programs=True)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    table, missed = [], False
    print(" | ".join(COLUMNS))
    for version in options.versions.split(","):
        lines = measured("torch.sh", version, "inductor_figures.py", f"torch-{version}", *SMS)
        missed |= any(map(is_worse, lines))
        table += (found := rows(version, lines))
        for cells in found:
            print(" | ".join(map(str, cells)), flush=True)
    if options.table:
        results.write("triton-inductor", "What the package brings to Inductor's kernels", COLUMNS,
                      table)
    return int(missed)
