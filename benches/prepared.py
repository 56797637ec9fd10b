#!/usr/bin/env python3
"""What the passes over IR bring in machine code: stock llc, -warpalloc-prepare, and that
with -regalloc=warpalloc.

usage: prepared.py [--limit 128] [--sm 90] [--jobs N] [--list] [--beside FILE] [--table]
                   DIRECTORY...

A directory holds the kernels of one source as .bc or .ll; LLC_FLAGS beside them has more
options for llc, ARCH the only SM they are for. The limit goes to ptxas on all sides, to the
plugin as its budget; without it there is none. For each source, and for all, a line a side:

  kernels    that all sides compile       changed   other figures than stock's
  local      LDL and STL in the machine code, each counted once
  inst       instructions over stock's, without padding
  worse      more local accesses than stock by over 5 %
  fewer, more  resident warps than stock, by registers, at 256 threads

--list adds the kernels that are worse or lose warps. --beside reads what another compiler
made of the same kernels, a JSON object a line with "kernel", "registers", "instructions"
and "local", and adds sums over the kernels that are there by the same name, but for
what says that it is internal and for the versions of CUB and Thrust. --table writes the
tables of docs/ir.md.

The figures of each kernel are written to target/prepared/LIMIT.jsonl. PTX that has been
assembled before is not assembled again. Exit code 1 if a file does not compile.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import results

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "target/prepared"
PLUGIN = os.environ.get("PLUGIN", ROOT / "target/release/libwarpalloc.so")
SIDES = {
    "stock": [],
    "prepared": [f"-load={PLUGIN}", "-warpalloc-prepare"],
    "allocated": [f"-load={PLUGIN}", "-warpalloc-prepare", "-regalloc=warpalloc"],
}
SECONDS = 1800
# An instruction: its address, perhaps a predicate, and the opcode.
INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_]*)")


def command(*arguments):
    return subprocess.run(
        list(map(str, arguments)), capture_output=True, text=True, check=False, timeout=SECONDS
    )


def machine_code(cubin):
    """Instructions and accesses to local memory of each section of code."""
    figures, current = {}, None
    text = command(ROOT / ".venv/bin/nvdisasm", "-c", cubin).stdout
    for line in text.splitlines():
        if line.startswith("//-"):
            section = re.match(r"//-+ \.text\.(\S+)", line)
            current = section and figures.setdefault(section[1], {"instructions": 0, "local": 0})
        elif current is not None and (found := INSTRUCTION.match(line)) and found[1] != "NOP":
            current["instructions"] += 1
            current["local"] += found[1] in ("LDL", "STL")
    return figures


def assemble(ptx, sm, limit):
    """The figures of each kernel of a PTX file, or None."""
    key = hashlib.sha256(f"sm_{sm} {limit} ".encode() + ptx.read_bytes()).hexdigest()
    known = OUTPUT / "assembled" / f"{key}.json"
    if known.exists():
        return json.loads(known.read_text())
    cubin = ptx.with_suffix(".cubin")
    # Without the second flag ptxas leaves kernels with launch bounds uncapped.
    cap = [f"-maxrregcount={limit}", "--override-directive-values"] if limit else []
    result = command(ROOT / ".venv/bin/ptxas", "-v", f"-arch=sm_{sm}", *cap, ptx, "-o", cubin)
    if result.returncode:
        return None
    registers, kernel = {}, None
    for line in (result.stdout + result.stderr).splitlines():
        if found := re.search(r"Compiling entry function '([^']*)'", line):
            kernel = found[1]
        elif (found := re.search(r"Used (\d+) registers", line)) and kernel:
            registers[kernel] = int(found[1])
    code = machine_code(cubin)
    figures = {name: {"registers": registers[name], **code[name]} for name in registers}
    known.parent.mkdir(parents=True, exist_ok=True)
    new = known.with_suffix(f".{os.getpid()}.{ptx.parent.name}")
    new.write_text(json.dumps(figures))
    new.rename(known)
    return figures


def measure(file, options):
    """A row for each kernel of a file with the figures of all sides, and a failure."""
    arch, flags = file.parent / "ARCH", file.parent / "LLC_FLAGS"
    sm = arch.read_text().strip().removeprefix("sm_") if arch.exists() else options.sm
    more = flags.read_text().split() if flags.exists() else []
    sides = {}
    with tempfile.TemporaryDirectory() as folder:
        for side, own in SIDES.items():
            ptx = pathlib.Path(folder) / f"{side}.ptx"
            if own and options.limit:
                own = [*own, f"-nvptx-regalloc-pressure-limit={options.limit}"]
            llc = ["llc-22", "-O2", f"-mcpu=sm_{sm}", "-mattr=+ptx88", *more, *own]
            try:
                result = command(*llc, file, "-o", ptx)
                if result.returncode:
                    return [], f"{file.name}: {side}: llc: {result.stderr.strip()[:200]}"
                sides[side] = assemble(ptx, sm, options.limit)
            except subprocess.TimeoutExpired:
                return [], f"{file.name}: {side}: takes too long"
            if sides[side] is None:
                return [], f"{file.name}: {side}: ptxas refuses it"
    names = [name for name in sides["stock"] if all(name in side for side in sides.values())]
    rows = [{side: kernels[name] for side, kernels in sides.items()} for name in names]
    common = {"source": file.parent.name, "file": file.name}
    return [{**common, "kernel": name, **row} for name, row in zip(names, rows)], None


def warps(registers):
    """Resident warps of an SM with 65,536 registers, of blocks of 256 threads."""
    of_a_warp = 32 * -(-max(registers, 1) // 8) * 8
    return min(64, 4 * (16384 // of_a_warp) // 8 * 8)


def judge(row, side):
    """Whether a kernel is worse, has fewer and has more resident warps than stock's."""
    stock, ours = row["stock"], row[side]
    before, after = warps(stock["registers"]), warps(ours["registers"])
    return ours["local"] > 1.05 * stock["local"], after < before, after > before


def ratio(ours, stock):
    return f"{ours / stock:.3f}" if stock else "-"


def against_stock(rows, side):
    """What a side changes: kernels that differ, local accesses of stock and of it, their
    ratio, that of the instructions; kernels that are worse, have fewer and more warps."""
    def total(side, key):
        return sum(row[side][key] for row in rows)

    changed = sum(row[side] != row["stock"] for row in rows)
    local = [total("stock", "local"), total(side, "local")]
    instructions = ratio(total(side, "instructions"), total("stock", "instructions"))
    judged = map(sum, zip(*(judge(row, side) for row in rows)))
    return changed, *local, ratio(local[1], local[0]), instructions, *judged


def summary(name, rows):
    for side in list(SIDES)[1:]:
        changed, before, now, local, instructions, worse, fewer, more = against_stock(rows, side)
        print(
            f"{name:12} {side:10} kernels {len(rows):5} changed {changed:4}"
            f"  local {before:6} {now:6} {local:>6}  inst {instructions}"
            f"  worse {worse:3}  fewer {fewer:3} more {more:3}"
        )


def table_row(name, rows):
    """What the passes alone change, for the documents' table."""
    *figures, _, fewer, more = against_stock(rows, "prepared")
    return [name, len(rows), *figures, fewer, more]


def write_tables(rows, pairs):
    """The documents' tables: what the passes bring, and what another compiler has."""
    sources = dict.fromkeys(row["source"] for row in rows)
    line = results.command_line("prepared.sh", sys.argv[1:])
    table = [
        table_row(results.source(source), [row for row in rows if row["source"] == source])
        for source in sources
    ]
    results.write("ir-what-it-brings", "What it brings", line,
                  ["source", "kernels", "changed", "local accesses", "with the passes", "ratio",
                   "all instructions", "fewer warps", "more warps"],
                  [*table, table_row("all", rows)])
    if not pairs:
        return
    table = []
    for source in [*sources, None]:
        own = [row for row in rows if source in (None, row["source"])]
        found = [row for row in pairs if source in (None, row["source"])]
        sides = ("stock", "allocated", "other")
        sums = [sum(row[side][key] for row in found)
                for key in ("local", "instructions") for side in sides]
        resident = [sum(warps(row[side]["registers"]) for row in found) / max(1, len(found))
                    for side in sides]
        table.append([results.source(source) if source else "all",
                      f"{len(found)} of {len(own)}", *sums, *(f"{one:.1f}" for one in resident)])
    results.write("ir-beside-nvcc", "Beside nvcc", line,
                  ["source", "kernels", "local: clang", "with passes and allocator", "nvcc",
                   "instructions: clang", "with passes and allocator", "nvcc", "warps: clang",
                   "with passes and allocator", "nvcc"], table)


def list_kernels(rows):
    for row in rows:
        for side in list(SIDES)[1:]:
            worse, fewer, _ = judge(row, side)
            if worse or fewer:
                stock, ours = row["stock"], row[side]
                reasons = ["worse"] * worse + ["fewer warps"] * fewer
                print(
                    f"  {side} {', '.join(reasons)}: local {stock['local']} to {ours['local']},"
                    f" registers {stock['registers']} to {ours['registers']}, instructions"
                    f" {stock['instructions']} to {ours['instructions']}:"
                    f" {row['source']}/{row['file']} {row['kernel']}"
                )


def comparable(name):
    """A mangled name without what another compiler, with another version of CUB and Thrust,
    writes differently: that a function is of its file alone, and their namespaces."""
    name = name.replace("_ZL", "_Z")
    nested, rest = "", name.removeprefix("_ZN")
    while rest != name and (found := re.match(r"L?(\d+)", rest)):
        end = found.end() + int(found[1])
        nested += found[1] + rest[found.end() : end]
        rest = rest[end:]
    name = f"_ZN{nested}{rest}" if nested else name
    return re.sub(r"\d\d(CUB|THRUST)_\d{6}_SM_\d+(_NS)?", r"\1", name)


def beside(rows, file):
    """Sums over the kernels that the other compiler has by the same name; these kernels."""
    all_pairs = []
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    other = {comparable(line["kernel"]): line for line in lines}
    print(f"\nbeside {file.name}, kernels of the same name")
    for source in [*dict.fromkeys(row["source"] for row in rows), None]:
        own = [row for row in rows if source in (None, row["source"])]
        pairs = [
            {**row, "other": other[comparable(row["kernel"])]}
            for row in own
            if comparable(row["kernel"]) in other
        ]
        all_pairs = pairs
        for side in [*SIDES, "other"]:
            sums = [sum(row[side][key] for row in pairs) for key in ("local", "instructions")]
            resident = sum(warps(row[side]["registers"]) for row in pairs) / max(1, len(pairs))
            print(
                f"{source or 'all':12} {side:10} {len(pairs):5} of {len(own):5} kernels"
                f"  local {sums[0]:6}  inst {sums[1]:8}  warps {resident:.1f} on average"
            )
    return all_pairs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--sm", default="90")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--beside", type=pathlib.Path)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("directories", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    rows, failures = [], []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for directory in options.directories:
            files = sorted([*directory.glob("*.bc"), *directory.glob("*.ll")])
            own = []
            for found, failure in pool.map(lambda file: measure(file, options), files):
                own += found
                failures += [failure] if failure else []
            if own:
                summary(directory.name, own)
                sys.stdout.flush()
            rows += own
    with open(OUTPUT / f"{options.limit}.jsonl", "w") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    if rows and len(options.directories) > 1:
        summary("all", rows)
    if options.list:
        list_kernels(rows)
    pairs = beside(rows, options.beside) if options.beside else []
    if options.table and rows:
        write_tables(rows, pairs)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
