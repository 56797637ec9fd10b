"""Checks docs/fidelity.md against the repository. usage: fidelity.py check|open|planted

The document answers every item of the five documents and every contradiction between them. A
row of its tables names the items that it answers in the first column: one (A7), several
(A1, A3), or a range (A58-A61). Required is:

- each number stands exactly once;
- what is in backticks and has a slash is a path of this repository, from its root;
- what else is in backticks in the column "here" stands in one of the files of its row;
- what is in backticks in the column "test" is the name of a Rust test, or a path.

open: lists the rows that are marked so. planted: each kind of fault, in a copy of the text, is
found.
"""

import functools
import os
import re
import subprocess
import sys

DOCUMENT = "docs/fidelity.md"
LAST = {"A": 66, "B": 26, "C": 13, "D": 31, "E": 169, "Z": 59}
COLUMNS = {
    "item": ["item", "in the documents", "here", "test", "deviation and reason"],
    "number": ["number", "contradiction", "decision", "reason, and where"],
}
NOT_NUMBERED = "-"
OPEN = "`open`"
RUST = ("passes/", "src/", "ptx-interpreter/")
ITEM = re.compile(r"([A-Z])(\d+)")
CODE = re.compile(r"`([^`]+)`")
TEST = re.compile(r"#\[test\]\s*(?:(?:#\[[^\]]*\]|//[^\n]*)\s*)*fn (\w+)")


def items(cell):
    """The numbers of a first column, ranges written out."""
    found = []
    for part in filter(None, (part.strip() for part in cell.split(","))):
        ends = [ITEM.fullmatch(end.strip()) for end in part.split("-")]
        if len(ends) > 2 or None in ends or ends[0][1] != ends[-1][1]:
            raise ValueError(f"'{part}' is no number of an item")
        letter, first, last = ends[0][1], int(ends[0][2]), int(ends[-1][2])
        if len(ends) == 2 and first >= last:
            raise ValueError(f"'{part}' is no range")
        found += [f"{letter}{number}" for number in range(first, last + 1)]
    return found


def rows(text):
    """Line number, header and cells of each row of the tables that are checked."""
    header = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            header = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if header is None:
            header = COLUMNS.get(cells[0], [])
            if header and cells != header:
                raise ValueError(f"line {number}: the columns are not {header}")
        elif header and (cells[0] == NOT_NUMBERED or set(cells[0]) != {"-"}):
            yield number, header, cells


def listed():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


@functools.cache
def rust_tests():
    """The names of all tests in Rust."""
    names = set()
    for path in listed():
        if path.endswith(".rs") and path.startswith(RUST) and os.path.exists(path):
            names.update(TEST.findall(contents(path)))
    return names


@functools.cache
def contents(path):
    """The text of a file, or of all files of a folder."""
    if os.path.isdir(path):
        files = [file for file in listed() if file.startswith(path.rstrip("/") + "/")]
        return "\n".join(contents(file) for file in files)
    with open(path, errors="replace") as file:
        return file.read()


def is_path(name):
    return "/" in name or os.path.exists(name)


def wrong_row(header, cells):
    """What is wrong with the names in a row."""
    codes = [CODE.findall(cell) for cell in cells]
    paths = [code for cell in codes for code in cell if is_path(code)]
    for path in paths:
        if not os.path.exists(path):
            yield f"there is no {path}"
    if header is not COLUMNS["item"]:
        return
    sources = [code for code in codes[2] if os.path.exists(code)]
    for name in codes[2]:
        if not is_path(name) and not any(name in contents(path) for path in sources):
            yield f"{name} is in none of the files of its row"
    for name in codes[3]:
        if not is_path(name) and name not in rust_tests():
            yield f"there is no test {name}"
    if not cells[2].strip("- ") and not cells[4]:
        yield "neither a place nor a reason"


def faults(text):
    """All that is wrong with the document."""
    found, count = [], {}
    try:
        for line, header, cells in rows(text):
            place = f"line {line}"
            if len(cells) != len(header):
                found.append(f"{place}: {len(cells)} columns, not {len(header)}")
                continue
            try:
                own = [] if cells[0] == NOT_NUMBERED else items(cells[0])
            except ValueError as error:
                found.append(f"{place}: {error}")
                continue
            for item in own:
                count[item] = count.get(item, 0) + 1
            found += [f"{place}, {cells[0]}: {fault}" for fault in wrong_row(header, cells)]
    except ValueError as error:
        found.append(str(error))
    known = [f"{letter}{n}" for letter, last in LAST.items() for n in range(1, last + 1)]
    for item in known:
        times = count.pop(item, 0)
        if times != 1:
            found.append(f"{item} stands {times} times")
    found += [f"there is no item {item}" for item in count]
    return found


def planted(text):
    """Faults, and what must be said of them."""
    lines = text.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("| A1"))

    def without(line):
        return "\n".join(lines[:line] + lines[line + 1 :])

    def instead(cell, value):
        cells = lines[first].strip("|").split("|")
        cells[cell] = f" {value} "
        return "\n".join(lines[:first] + ["|" + "|".join(cells) + "|"] + lines[first + 1 :])

    contradiction = next(n for n, line in enumerate(lines) if line.startswith("| Z1 "))
    yield without(first), "A1 stands 0 times"
    yield without(contradiction), "Z1 stands 0 times"
    yield text.replace("| Z1 |", "| Z2 |"), "Z2 stands 2 times"
    yield "\n".join(lines + ["", *lines[first - 2 : first + 1]]), "A1 stands 2 times"
    yield instead(0, "A1-E3"), "'A1-E3' is no number of an item"
    yield instead(0, "A67"), "there is no item A67"
    yield instead(2, "`passes/src/nowhere.rs`"), "there is no passes/src/nowhere.rs"
    yield instead(4, "See `docs/nowhere.md`."), "there is no docs/nowhere.md"
    yield instead(2, "`passes/src/lib.rs` (`NoSuchName`)"), "NoSuchName is in none of the files"
    yield instead(3, "`no_such_test`"), "there is no test no_such_test"
    # A function that is there, but is no test.
    yield instead(3, "`natural_loops`"), "there is no test natural_loops"
    yield instead(3, "`llvm-tests/NVPTX/nowhere.ll`"), "there is no llvm-tests/NVPTX/nowhere.ll"
    yield instead(4, "x | y"), "6 columns, not 5"


def main(command):
    with open(DOCUMENT) as file:
        text = file.read()
    if command == "open":
        wrong = [cells[0] for _, _, cells in rows(text) if OPEN in cells[-1]]
        print("\n".join(wrong))
        return 0
    wrong = faults(text)
    if command == "planted":
        for spoilt, message in planted(text):
            new = [fault for fault in faults(spoilt) if fault not in wrong]
            if not any(message in fault for fault in new):
                wrong.append(f"planted, and not found: {message}; but {new[:3]}")
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
