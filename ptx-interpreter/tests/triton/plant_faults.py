#!/usr/bin/env python3
"""Plants faults of asynchronous instructions in PTX and counts those that ptx-compare shows.

    plant_faults.py PTX_COMPARE SEED FILE.ptx...

For each file and each kind of fault that it offers a place for, one place is chosen and the
file compared with the spoilt one. Prints what stays hidden, then the counts. A hidden fault
may be one that changes nothing, as a second wait behind a first.
"""
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

DROPPED = ("tcgen05.wait::ld", "tcgen05.wait::st", "tcgen05.commit", "wgmma.fence", "wgmma.commit_group",
           "wgmma.wait_group", "cp.async.commit_group", "cp.async.wait_group", "cp.async.bulk.wait_group")
# A register of the first operand in braces is written right behind the instruction.
WRITTEN = ("tcgen05.ld", "tcgen05.st", "wgmma.mma_async")


def register(line):
    """One register of the first list in the line."""
    return random.choice(re.findall(r"%r\d+", re.search(r"\{([^}]*)\}", line).group(1)))


def weakened(line):
    """The wait leaves one group more."""
    return re.sub(r"(wait_group\S*\s+)(\d+)", lambda m: m.group(1) + str(int(m.group(2)) + 1), line)


def faults(lines):
    """All places for faults: (kind, line, what stands there instead)."""
    for i, line in enumerate(lines):
        code = line.split("//")[0]
        for name in DROPPED:
            if re.search(rf"(^|\s){re.escape(name)}(\.|;|\s)", code):
                yield "without " + name, i, ""
        if re.search(r"(^|\s)(wgmma|cp\.async)\.wait_group", code):
            yield "weaker " + re.search(r"(wgmma|cp\.async)\.wait_group", code).group(), i, weakened(line)
        for name in WRITTEN:
            if re.search(rf"(^|\s){re.escape(name)}\.", code):
                yield "write after " + name, i, f"{line}\n\tmov.b32 {register(line)}, 0;"
        if "wgmma.fence" in code:
            product = next((l for l in lines[i:] if "wgmma.mma_async" in l), None)
            if product:
                yield "write after wgmma.fence", i, f"{line}\n\tmov.b32 {register(product)}, 0;"
        if re.search(r"@!complete\s+bra", code):
            yield "barrier asked once", i, ""


def is_shown(compare, file, lines):
    """Whether the spoilt file is found to differ."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as spoilt:
        spoilt.write("\n".join(lines))
        spoilt.flush()
        run = subprocess.run([compare, file, spoilt.name], capture_output=True, text=True)
    return "DIFFERENT" in run.stdout


def main():
    compare, seed, *files = sys.argv[1:]
    random.seed(int(seed))
    shown, planted = collections.Counter(), collections.Counter()
    for file in files:
        with open(file) as f:
            lines = f.read().split("\n")
        places = collections.defaultdict(list)
        for kind, i, text in faults(lines):
            places[kind].append((i, text))
        for kind, choices in sorted(places.items()):
            i, text = random.choice(choices)
            planted[kind] += 1
            if is_shown(compare, file, lines[:i] + [text] + lines[i + 1:]):
                shown[kind] += 1
            else:
                print(f"hidden: {kind}, {os.path.basename(file)}, line {i + 1}", flush=True)
    for kind in sorted(planted):
        print(f"{kind}: {shown[kind]} of {planted[kind]}")
    print(f"{sum(shown.values())} of {sum(planted.values())} shown")


if __name__ == "__main__":
    main()
