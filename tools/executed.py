"""What kernels execute: stock llc's PTX against warpalloc's, by ptx-executed.

ptxas gets the limit on both sides, warpalloc as its budget; 0 is none. FLAGS go to llc with
the plugin alone. A kernel counts if the interpreter can launch it with arguments that it knows
or guesses and finds the same results on both sides; a file has the time-out to itself.

One line a source: kernels compared, geometric means of our stall cycles and instructions
over stock's, and the accesses to local memory that both execute. Exit code 1 if a kernel
computes something else."""

import json
import math
import shlex
import subprocess
import sys
from statistics import geometric_mean

import kernels
import results
from toolchain import ALLOCATOR, RELEASE, TARGET, VENV, budget, need, run

OUTPUT = TARGET / "executed"
TOOLS = [f"--{tool}={VENV / tool}" for tool in ("ptxas", "nvdisasm")]


def compile_both(folder, file, options):
    """The PTX of both sides, or a reason why there is none."""
    ours = [*ALLOCATOR, *shlex.split(options.flags), *budget(options.limit)]
    output = OUTPUT / folder.name
    output.mkdir(parents=True, exist_ok=True)
    paths = []
    for side, more in (("stock", []), ("warpalloc", ours)):
        paths.append(output / f"{file.stem}.{side}.ptx")
        result = run(*folder.llc(*more, file, "-o", paths[-1]), timeout=options.timeout)
        if result.returncode:
            errors = [line for line in result.stderr.splitlines() if "error" in line]
            return None, f"llc: {(errors or ['failed'])[0]}"
    return paths, None


def compare(folder, file, options):
    """Lines of ptx-executed, and why there are none."""
    try:
        paths, failure = compile_both(folder, file, options)
        if failure:
            return [], failure
        limit = [f"--register-limit={options.limit}"] if options.limit else []
        tool = [RELEASE / "ptx-executed", "--json", *TOOLS, *limit]
        result = run(*tool, *paths, timeout=options.timeout)
    except subprocess.TimeoutExpired:
        return [], "takes too long"
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    return lines, None if lines else result.stderr.strip() or "no kernels"


def mean(pairs):
    """The geometric mean of the second over the first."""
    ratios = [second / first for first, second in pairs if first and second]
    return geometric_mean(ratios) if ratios else math.nan


def summary(name, rows, options):
    executed = [kernel["executed"] for kernel in rows if "executed" in kernel]

    def of(key):
        return [(first[key], second[key]) for first, second in executed]

    local = [sum(values) for values in zip(*of("local"))] or [0, 0]
    worse = sum(second > 1.05 * first for first, second in of("stall_cycles"))
    better = sum(second < 0.95 * first for first, second in of("stall_cycles"))
    exact = [sum(values) for values in zip(*of("exact"))] or [0, 0]
    instructions = [sum(values) for values in zip(*of("instructions"))] or [0, 0]
    share = 100 * sum(exact) / max(1, sum(instructions))
    print(
        f"{name:12} {len(executed):5} of {len(rows):5}  stall {mean(of('stall_cycles')):.3f}"
        f"  instructions {mean(of('instructions')):.3f}  local {local[0]:12} {local[1]:12}"
        f"  better {better:4} worse {worse:4}  exact {share:3.0f} %",
        flush=True,
    )
    row = [
        f"{len(executed)} of {len(rows)}", f"{mean(of('stall_cycles')):.3f}",
        f"{mean(of('instructions')):.3f}", f"{local[0]:,}", f"{local[1]:,}", better, worse,
        f"{share:.0f} %",
    ]
    if options.list:
        for kernel in rows:
            if "executed" in kernel:
                first, second = kernel["executed"]
                figures = [
                    f"{key} {first[key]} {second[key]}"
                    for key in ("stall_cycles", "instructions", "local")
                ]
                print(f"  {', '.join(figures)}: {kernel['kernel']}")
            else:
                why = kernel.get("unusable") or kernel.get("different")
                print(f"  not compared: {why}: {kernel['kernel']}")
    return row


def add_arguments(parser):
    kernels.add_arguments(parser)
    parser.add_argument("--limit", type=int, default=64)
    parser.add_argument("--flags", default="")
    parser.add_argument("--timeout", type=int, default=300)
    parser.add_argument("--list", action="store_true", help="a line for each kernel")
    parser.add_argument("--table", action="store_true", help="write the documents' table")


def main(options):
    need(programs=True)
    different, table = False, []
    for folder in kernels.folders(options):
        rows = []
        for file in folder.files:
            lines, failure = compare(folder, file, options)
            if failure:
                print(f"{file.name}: {failure}", file=sys.stderr)
            rows += [{"file": file.name, **line} for line in lines]
        with open(OUTPUT / f"{folder.name}.{options.limit}.jsonl", "w") as out:
            out.writelines(json.dumps(row) + "\n" for row in rows)
        for row in rows:
            if "different" in row:
                different = True
                print(f"{row['file']}: {row['kernel']}: {row['different']}")
        table.append([kernels.title(folder.name), *summary(folder.name, rows, options)])
    if options.table:
        results.write("executed-figures", "Figures",
                      ["kernels", "compared", "stall cycles", "instructions", "local, stock",
                       "local, ours", "better", "worse", "exact"], table)
    return 1 if different else 0
