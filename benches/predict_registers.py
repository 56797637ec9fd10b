#!/usr/bin/env python3
"""How well regs= predicts what ptxas reports, against MaxLive and PTX registers.

usage: predict_registers.py [--sm 80,90] [--jobs N] [DIRECTORY...]

The directories hold kernels as .bc or .ll; without any, the examples are taken. A file
LLC_FLAGS beside the kernels has more options for llc. Each kernel belongs to the two
thirds on which the parameters were found or to the third that was held out, by the hash
of its name. ptxas gets the PTX that llc writes with the plugin, and no cap.
"""

import argparse
import concurrent.futures
import hashlib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LLC = "llc-22"
PTXAS = ROOT / ".venv/bin/ptxas"
PLUGIN = ROOT / "target/release/libwarpalloc.so"
OUTPUT = ROOT / "target/predict-registers"

REGISTER_FILE = 65536
WARPS = 64
PARTITIONS = 4
BLOCK_WARPS = 8


def warps(registers):
    """Warps on an SM 8.0 or 9.0 in blocks of 256 threads."""
    of_warp = max(8, -(-registers // 8) * 8) * 32
    fit = REGISTER_FILE // PARTITIONS // of_warp * PARTITIONS
    return min(fit, WARPS) // BLOCK_WARPS * BLOCK_WARPS


def held_out(kernel):
    return hashlib.sha1(kernel.encode()).digest()[0] % 3 == 0


def ptx_registers(ptx):
    """For each kernel the 32-bit registers that its PTX declares."""
    widths = {"b16": 1, "b32": 1, "b64": 2, "b128": 4}
    found, kernel = {}, None
    for line in ptx.splitlines():
        if match := re.search(r"\.entry\s+([\w$]+)", line):
            kernel = match[1]
            found[kernel] = 0
        elif line.startswith("}"):
            kernel = None
        elif kernel and (match := re.match(r"\s+\.reg \.(\w+)\s+%\w+<(\d+)>;", line)):
            found[kernel] += widths.get(match[1], 0) * (int(match[2]) - 1)
    return found


def command(arguments):
    result = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"{arguments[0]}: {result.stderr[-500:]}")
    return result.stdout + result.stderr


def kernels(source, sm):
    """For each kernel of a file what ptxas reports and what predicts it."""
    ptx = OUTPUT / f"{source.parent.name}.{source.stem}.sm_{sm}.ptx"
    flags = source.parent / "LLC_FLAGS"
    more = flags.read_text().split() if flags.exists() else []
    plugin = [f"-load={PLUGIN}", "-regalloc=warpalloc", "-print-regalloc-stats"]
    target = ["-O2", f"-mcpu=sm_{sm}", "-mattr=+ptx88"]
    lines = command([LLC, *target, *plugin, *more, source, "-o", ptx])
    statistics = {}
    for name, rest in re.findall(r"^warpalloc: function=(\S+) (.*)$", lines, re.M):
        statistics[name] = dict(pair.split("=", 1) for pair in rest.split())
    try:
        report = command([PTXAS, "-v", f"-arch=sm_{sm}", "-o", "/dev/null", ptx])
    except RuntimeError as error:
        # Some kernels are written for one SM alone.
        print(f"left out for sm_{sm}: {source}: {error}", file=sys.stderr)
        return []
    declared = ptx_registers(ptx.read_text())
    found, kernel = [], None
    for line in report.splitlines():
        if match := re.search(r"Compiling entry function '([^']*)'", line):
            kernel = match[1]
        elif kernel in statistics and (match := re.search(r"Used (\d+) registers", line)):
            figures = statistics[kernel]
            predictions = {
                "regs": int(figures["regs"]),
                "MaxLive": int(figures.get("maxlive.R", 0)),
                "PTX registers": declared[kernel],
            }
            found.append((sm, kernel, int(match[1]), predictions))
    return found


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


def row(pairs):
    """The figures for pairs of what ptxas reports and what was predicted."""
    errors = sorted(abs(found - actual) / actual for actual, found in pairs)
    right = sum(warps(actual) == warps(found) for actual, found in pairs)
    return (
        len(pairs),
        100 * errors[len(errors) // 2],
        100 * errors[min(len(errors) - 1, len(errors) * 9 // 10)],
        spearman(*zip(*pairs)),
        100 * right / len(pairs),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sm", default="80,90")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--worst", type=int, default=0, help="list the worst kernels")
    parser.add_argument("directories", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    jobs = []
    for sm in arguments.sm.split(","):
        for directory in arguments.directories or [ROOT / f"target/examples/sm_{sm}"]:
            files = sorted(directory.glob("*.bc")) + sorted(directory.glob("*.ll"))
            jobs += [(file, sm) for file in files]
    if not jobs:
        sys.exit("no kernels: name directories, or run scripts/compile_examples.sh 80 90")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as executor:
        found = [one for many in executor.map(lambda job: kernels(*job), jobs) for one in many]

    print(f"{'':14} {'SM':>3} {'set':12} {'kernels':>7} {'median':>7} {'90th':>6} "
          f"{'Spearman':>8} {'occupancy':>9}")
    for what in ("regs", "MaxLive", "PTX registers"):
        for sm in arguments.sm.split(","):
            for name, is_held in (("calibration", False), ("held out", True)):
                pairs = [
                    (actual, predictions[what])
                    for one, kernel, actual, predictions in found
                    if one == sm and held_out(kernel) == is_held
                ]
                if pairs:
                    print("{:14} {:>3} {:12} {:7} {:6.1f}% {:5.1f}% {:8.3f} {:8.1f}%".format(
                        what, sm, name, *row(pairs)))
    error = lambda one: abs(one[3]["regs"] - one[2]) / one[2]
    for sm, kernel, actual, predictions in sorted(found, key=error)[::-1][: arguments.worst]:
        print(f"sm_{sm} ptxas {actual} predicted {predictions['regs']} {kernel}")


if __name__ == "__main__":
    main()
