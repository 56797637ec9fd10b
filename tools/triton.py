"""Triton with and without the Python package: what it brings where kernels have `maxnreg`.

The kernels are compiled by each version of Triton as it comes, and with warpalloc enabled,
which chooses by itself. They are those of python/tests/kernels.py, for sm_80, sm_90a and
sm_100a: for each version and limit (0 is none)

  kernels        that Triton compiles, and those of them that go to local memory
  ours           how many have our code
  registers      geometric mean of the chosen code's over Triton's own
  sum, mean      local accesses, weighed by loops, over Triton's own: as sums, and geometric
                 over the kernels with local accesses
  issue          stall cycles over Triton's own, geometric, over these
  worse          kernels with more local accesses or stall cycles than Triton's own

With --kernels they are those of a file of one's own, which has in `KERNELS` for each

  (name, function, {argument: type}, {argument: constant}, {option of Triton: value})

with a function of `triton.jit`, and types as Triton writes them. Pointers and i32 are compiled
as multiples of 16, but for arguments named by --unaligned. Then registers, local accesses and
stall cycles are sums over all kernels, Triton's own and what was chosen; and, in a second
table, the last two of each kernel that has our code anywhere.

Each version is installed from PyPI where it is not there. Exit code 1 if a kernel is worse.
"""

import json
import pathlib

import results
from spills import mean
from toolchain import RELEASE, ROOT, TARGET, checked, need

OUTPUT = TARGET / "triton"
COLUMNS = ("Triton", "limit", "kernels", "with local accesses", "ours", "registers", "sum", "mean",
           "issue cycles", "worse")
COLUMNS_OF_FILE = ("Triton", "limit", "kernels", "with local accesses", "ours", "registers",
                   "local accesses", "issue cycles", "worse")


def measured(environment, version, program, name, *arguments):
    """The lines of figures that a program of python/tests writes, run by the Python that the
    script `environment` makes for a version."""
    python = checked(ROOT / "scripts" / environment, version).strip()
    path = f"PYTHONPATH={ROOT / 'python/src'}"
    file = OUTPUT / f"{name}.jsonl"
    program = ROOT / "python/tests" / program
    checked("env", path, python, program, RELEASE / "warpalloc-llc", file, *arguments)
    return [json.loads(line) for line in file.read_text().splitlines()]


def pairs(lines):
    """Registers, local accesses and stall cycles: sums of Triton's own and of what was chosen."""
    sums = [[sum(line[side][at] for line in lines) for side in ("own", "chosen")]
            for at in range(3)]
    return [f"{own:.0f}, {chosen:.0f}" for own, chosen in sums]


def named(line):
    """The kernel of a line."""
    return f"{line['kernel']} for sm_{line['sm']}"


def is_worse(line):
    """Whether what was chosen has more local accesses or stall cycles than Triton's own."""
    return any(line["chosen"][at] > line["own"][at] for at in (1, 2))


def with_local_accesses(lines):
    """Both sides of the kernels that go to local memory."""
    return [(line["own"], line["chosen"]) for line in lines if line["own"][1] or line["chosen"][1]]


def row(version, limit, found, worse):
    """One row of the table."""
    local = with_local_accesses(found)
    sums = [sum(side[1] for side in sides) for sides in zip(*local)] if local else [0, 0]
    return [version, limit or "none", len(found), len(local), sum(line["ours"] for line in found),
            mean([line["chosen"][0] / line["own"][0] for line in found]),
            f"{sums[1] / sums[0]:.3f}" if sums[0] else "",
            mean([max(chosen[1], 1) / max(own[1], 1) for own, chosen in local]),
            mean([chosen[2] / own[2] for own, chosen in local]), len(worse)]


def row_of_file(version, limit, found, worse):
    """One row of the table of a file's kernels."""
    return [version, limit or "none", len(found), len(with_local_accesses(found)),
            sum(line["ours"] for line in found), *pairs(found), len(worse)]


def ours_anywhere(measured_lines):
    """The table of the kernels with our code in some version, of the lines of each version."""
    columns = ["limit", "SM", "kernel"]
    kernels = {}
    for version, lines in measured_lines.items():
        columns += [f"{version}: local accesses", f"{version}: issue cycles"]
        for line in lines:
            key = (line["limit"], line["sm"], line["kernel"])
            kernels.setdefault(key, {})[version] = line
    table = []
    for (limit, sm, name), of_version in kernels.items():
        if any(line.get("ours") for line in of_version.values()):
            cells = [limit or "none", f"sm_{sm}", name]
            for version in measured_lines:
                line = of_version[version]
                cells += pairs([line])[1:] if "own" in line else ["", ""]
            table.append(cells)
    return columns, table


def add_arguments(parser):
    parser.add_argument("--versions", default="3.5.1,3.6.0,3.9.0")
    parser.add_argument("--limits", default="0,128,96,64")
    parser.add_argument("--sms", default="80,90,100")
    parser.add_argument("--kernels", metavar="FILE", help="Python with KERNELS of its own")
    parser.add_argument("--unaligned", default="", help="names of its arguments, with commas")
    parser.add_argument("--table", action="store_true", help="write the documents' tables")


def main(options):
    need(programs=True)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    limits = options.limits.split(",")
    arguments = [f"--limits={options.limits}", f"--sms={options.sms}"]
    columns, cells_of = COLUMNS, row
    if options.kernels:
        file = pathlib.Path(options.kernels).resolve()
        arguments += [f"--kernels={file}", f"--unaligned={options.unaligned}"]
        columns, cells_of = COLUMNS_OF_FILE, row_of_file
    table, all_lines, missed = [], {}, False
    print(" | ".join(columns))
    for version in options.versions.split(","):
        lines = measured("triton.sh", version, "figures.py", version, *arguments)
        all_lines[version] = lines
        for limit in map(int, limits):
            of_limit = [line for line in lines if line["limit"] == limit]
            found = [line for line in of_limit if "own" in line]
            worse = [named(line) for line in found if is_worse(line)]
            table.append(cells_of(version, limit, found, worse))
            missed |= bool(worse)
            print(" | ".join(map(str, table[-1])), *worse, flush=True)
            for line in of_limit:
                if "refused" in line:
                    print(f"  Triton does not compile {named(line)}: {line['refused']}")
    if options.kernels:
        changed = ours_anywhere(all_lines)
        for cells in [changed[0], *changed[1]]:
            print(" | ".join(map(str, cells)))
    if options.table and options.kernels:
        results.write("triton-public", "What the package brings to public kernels", columns, table)
        results.write("triton-public-ours", "The public kernels with our code", *changed)
    elif options.table:
        results.write("triton-what-it-brings", "What the package brings", columns, table)
    return int(missed)
