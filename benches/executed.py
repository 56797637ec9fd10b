#!/usr/bin/env python3
"""What kernels execute: stock llc's PTX against warpalloc's, by ptx-executed.

usage: executed.py [--sm 90] [--limit 64] [--flags FLAGS] [--timeout 300] [--list] [--table]
                   [DIRECTORY...]

A directory holds the kernels of one source as .bc or .ll; LLC_FLAGS beside them has more
options for llc, ARCH the only SM they are for. Without any, the examples are taken. ptxas
gets the limit on both sides, warpalloc as its budget; 0 is none. FLAGS go to llc with the
plugin alone. A kernel counts if the interpreter can launch it with arguments that it knows
or guesses and finds the same results on both sides; a file has the time-out to itself.

One line a source: kernels compared, geometric means of our stall cycles and instructions
over stock's, and the accesses to local memory that both execute. Exit code 1 if a kernel
computes something else. --table writes the table of docs/executed.md.
"""

import argparse
import json
import math
import os
import pathlib
import shlex
import subprocess
import sys

import results

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "target/executed"
PLUGIN = os.environ.get("PLUGIN", ROOT / "target/release/libwarpalloc.so")
TOOLS = [f"--{tool}={ROOT}/.venv/bin/{tool}" for tool in ("ptxas", "nvdisasm")]


def command(arguments, timeout):
    return subprocess.run(
        list(map(str, arguments)), capture_output=True, text=True, check=False, timeout=timeout
    )


def compile_both(file, sm, options):
    """The PTX of both sides, or a reason why there is none."""
    flags = file.parent / "LLC_FLAGS"
    common = ["llc-22", "-O2", f"-mcpu=sm_{sm}", "-mattr=+ptx88"]
    common += flags.read_text().split() if flags.exists() else []
    ours = [f"-load={PLUGIN}", "-regalloc=warpalloc", *shlex.split(options.flags)]
    if options.limit:
        ours.append(f"-nvptx-regalloc-pressure-limit={options.limit}")
    folder = OUTPUT / file.parent.name
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for side, more in (("stock", []), ("warpalloc", ours)):
        paths.append(folder / f"{file.stem}.{side}.ptx")
        result = command([*common, *more, file, "-o", paths[-1]], options.timeout)
        if result.returncode:
            errors = [line for line in result.stderr.splitlines() if "error" in line]
            return None, f"llc: {(errors or ['failed'])[0]}"
    return paths, None


def compare(file, sm, options):
    """Lines of ptx-executed, and why there are none."""
    try:
        paths, failure = compile_both(file, sm, options)
        if failure:
            return [], failure
        limit = [f"--register-limit={options.limit}"] if options.limit else []
        tool = [ROOT / "target/release/ptx-executed", "--json", *TOOLS, *limit]
        result = command([*tool, *paths], options.timeout)
    except subprocess.TimeoutExpired:
        return [], "takes too long"
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    return lines, None if lines else result.stderr.strip() or "no kernels"


def mean(pairs):
    """The geometric mean of the second over the first."""
    logarithms = [math.log(second / first) for first, second in pairs if first and second]
    return math.exp(sum(logarithms) / len(logarithms)) if logarithms else math.nan


def summary(name, kernels, options):
    executed = [kernel["executed"] for kernel in kernels if "executed" in kernel]

    def of(key):
        return [(first[key], second[key]) for first, second in executed]

    local = [sum(values) for values in zip(*of("local"))] or [0, 0]
    worse = sum(second > 1.05 * first for first, second in of("stall_cycles"))
    better = sum(second < 0.95 * first for first, second in of("stall_cycles"))
    exact = [sum(values) for values in zip(*of("exact"))] or [0, 0]
    instructions = [sum(values) for values in zip(*of("instructions"))] or [0, 0]
    share = 100 * sum(exact) / max(1, sum(instructions))
    print(
        f"{name:12} {len(executed):5} of {len(kernels):5}  stall {mean(of('stall_cycles')):.3f}"
        f"  instructions {mean(of('instructions')):.3f}  local {local[0]:12} {local[1]:12}"
        f"  better {better:4} worse {worse:4}  exact {share:3.0f} %",
        flush=True,
    )
    row = [
        f"{len(executed)} of {len(kernels)}", f"{mean(of('stall_cycles')):.3f}",
        f"{mean(of('instructions')):.3f}", f"{local[0]:,}", f"{local[1]:,}", better, worse,
        f"{share:.0f} %",
    ]
    if options.list:
        for kernel in kernels:
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sm", default="90")
    parser.add_argument("--limit", type=int, default=64)
    parser.add_argument("--flags", default="")
    parser.add_argument("--timeout", type=int, default=300)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("directories", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    directories = options.directories or [ROOT / f"target/examples/sm_{options.sm}"]
    different, table = False, []
    for directory in directories:
        arch = directory / "ARCH"
        sm = arch.read_text().strip().removeprefix("sm_") if arch.exists() else options.sm
        kernels = []
        for file in sorted([*directory.glob("*.bc"), *directory.glob("*.ll")]):
            lines, failure = compare(file, sm, options)
            if failure:
                print(f"{file.name}: {failure}", file=sys.stderr)
            kernels += [{"file": file.name, **line} for line in lines]
        with open(OUTPUT / f"{directory.name}.{options.limit}.jsonl", "w") as out:
            out.writelines(json.dumps(kernel) + "\n" for kernel in kernels)
        for kernel in kernels:
            if "different" in kernel:
                different = True
                print(f"{kernel['file']}: {kernel['kernel']}: {kernel['different']}")
        name = directory.name if options.directories else "examples"
        table.append([results.source(name), *summary(name, kernels, options)])
    if options.table:
        results.write("executed-figures", "Figures",
                      results.command_line("executed.sh", sys.argv[1:]),
                      ["kernels", "compared", "stall cycles", "instructions", "local, stock",
                       "local, ours", "better", "worse", "exact"], table)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
