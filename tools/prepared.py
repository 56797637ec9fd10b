"""What the passes over IR bring in machine code: stock llc, -warpalloc-prepare, and that
with -regalloc=warpalloc.

The limit goes to ptxas on all sides, to the plugin as its budget; without it there is none.
For each source, and for all, a line a side:

  kernels    that all sides compile       changed   other figures than stock's
  local      LDL and STL in the machine code, each counted once
  inst       instructions over stock's, without padding
  worse      more local accesses than stock by over 5 %
  fewer, more  resident warps than stock, by registers, at 256 threads

--list adds the kernels that are worse or lose warps. --beside reads what another compiler
made of the same kernels, a JSON object a line with "kernel", "registers", "instructions"
and "local", and adds sums over the kernels that are there by the same name, but for
what says that it is internal and for the versions of CUB and Thrust.

The figures of each kernel are written to target/prepared/LIMIT.jsonl. PTX that has been
assembled before is not assembled again. Exit code 1 if a file does not compile.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import kernels
import machine_code
import results
from machine_code import resident_warps
from toolchain import LOAD, TARGET, budget, cap, in_parallel, need, run

OUTPUT = TARGET / "prepared"
SIDES = {
    "stock": [],
    "prepared": [LOAD, "-warpalloc-prepare"],
    "allocated": [LOAD, "-warpalloc-prepare", "-regalloc=warpalloc"],
}
SECONDS = 1800


def assemble(ptx, sm, limit):
    """The figures of each kernel of a PTX file, or None."""
    def find():
        found = machine_code.assemble(ptx, sm, *cap(limit), timeout=SECONDS)
        return None if isinstance(found, str) else {
            name: {"registers": one.registers, "instructions": one.instructions, "local": one.local}
            for name, one in found.items()
        }
    return machine_code.remembered(OUTPUT / "assembled", ptx, f"sm_{sm} {limit}", find)


def measure(folder, file, options):
    """A row for each kernel of a file with the figures of all sides, and a failure."""
    sides = {}
    with tempfile.TemporaryDirectory() as temporary:
        for side, own in SIDES.items():
            ptx = pathlib.Path(temporary) / f"{side}.ptx"
            own = [*own, *budget(options.limit)] if own else []
            try:
                result = run(*folder.llc(*own, file, "-o", ptx), timeout=SECONDS)
                if result.returncode:
                    return [], f"{file.name}: {side}: llc: {result.stderr.strip()[:200]}"
                sides[side] = assemble(ptx, folder.sm, options.limit)
            except subprocess.TimeoutExpired:
                return [], f"{file.name}: {side}: takes too long"
            if sides[side] is None:
                return [], f"{file.name}: {side}: ptxas refuses it"
    names = [name for name in sides["stock"] if all(name in side for side in sides.values())]
    rows = [{side: found[name] for side, found in sides.items()} for name in names]
    common = {"source": folder.name, "file": file.name}
    return [{**common, "kernel": name, **row} for name, row in zip(names, rows)], None


def judge(row, side):
    """Whether a kernel is worse, has fewer and has more resident warps than stock's."""
    stock, ours = row["stock"], row[side]
    before, after = resident_warps(stock["registers"]), resident_warps(ours["registers"])
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
    table = [table_row(kernels.title(source), of_source(rows, source)) for source in sources]
    results.write("ir-what-it-brings", "What it brings",
                  ["source", "kernels", "changed", "local accesses", "with the passes", "ratio",
                   "all instructions", "fewer warps", "more warps"],
                  [*table, table_row("all", rows)])
    if not pairs:
        return
    table = []
    for source in [*sources, None]:
        found = of_source(pairs, source)
        sums = [side_sums(found, side) for side in ("stock", "allocated", "other")]
        local, instructions, warps = zip(*sums)
        table.append([kernels.title(source) if source else "all",
                      f"{len(found)} of {len(of_source(rows, source))}", *local, *instructions,
                      *(f"{one:.1f}" for one in warps)])
    results.write("ir-beside-nvcc", "Beside nvcc",
                  ["source", "kernels", "local: clang", "with passes and allocator", "nvcc",
                   "instructions: clang", "with passes and allocator", "nvcc", "warps: clang",
                   "with passes and allocator", "nvcc"], table)


def of_source(rows, source):
    """The rows of a source, or all."""
    return [row for row in rows if source in (None, row["source"])]


def side_sums(rows, side):
    """Local accesses and instructions of a side in sum, and its resident warps on average."""
    warps = sum(resident_warps(row[side]["registers"]) for row in rows)
    return (*(sum(row[side][key] for row in rows) for key in ("local", "instructions")),
            warps / max(1, len(rows)))


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
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    other = {comparable(line["kernel"]): line for line in lines}
    named = [(row, other.get(comparable(row["kernel"]))) for row in rows]
    pairs = [{**row, "other": found} for row, found in named if found]
    print(f"\nbeside {file.name}, kernels of the same name")
    for source in [*dict.fromkeys(row["source"] for row in rows), None]:
        own, found = of_source(rows, source), of_source(pairs, source)
        for side in [*SIDES, "other"]:
            local, instructions, warps = side_sums(found, side)
            print(
                f"{source or 'all':12} {side:10} {len(found):5} of {len(own):5} kernels"
                f"  local {local:6}  inst {instructions:8}  warps {warps:.1f} on average"
            )
    return pairs


def add_arguments(parser):
    kernels.add_arguments(parser)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--beside", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--table", action="store_true", help="write the documents' tables")


def main(options):
    need()
    OUTPUT.mkdir(parents=True, exist_ok=True)
    rows, failures = [], []
    folders = kernels.folders(options)
    for folder in folders:
        own = []
        measured = in_parallel(lambda file: measure(folder, file, options), folder.files, options.jobs)
        for found, failure in measured:
            own += found
            failures += [failure] if failure else []
        if own:
            summary(folder.name, own)
            sys.stdout.flush()
        rows += own
    with open(OUTPUT / f"{options.limit}.jsonl", "w") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    if rows and len(folders) > 1:
        summary("all", rows)
    if options.list:
        list_kernels(rows)
    pairs = beside(rows, options.beside) if options.beside else []
    if options.table and rows:
        write_tables(rows, pairs)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures or not rows else 0
