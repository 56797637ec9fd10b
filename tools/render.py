"""Renders the tables of measured figures in the documents from benches/results/*.json.

A table stands between `<!-- table: NAME -->` and `<!-- end of table -->`. Its file has the
columns and rows as they are shown, and what gave them: command, commit, date, versions of
tools. A benchmark writes it with results.py, a person never edits the table. A table of
numbers that has no file is an error: what it is the figures of could not be known.
"""

import json
import re

from results import RESULTS
from toolchain import ROOT

TABLE = re.compile(r"(<!-- table: ([a-z0-9-]+) -->\n)(.*?)(<!-- end of table -->)", re.S)
# A cell that is a measured number, perhaps with its unit.
NUMBER = re.compile(r"\**-?\d[\d,]*(\.\d+)?( %| s| ms|x)?\**$")


def without_file(text):
    """The first lines of the tables that have no file and a row mostly of numbers."""
    text = TABLE.sub("", text)
    for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
        rows = [[cell.strip() for cell in row.strip("|\n").split("|")] for row in table.splitlines()]
        if any(2 * sum(bool(NUMBER.match(cell)) for cell in row) > len(row) for row in rows):
            yield table.splitlines()[0]


def documents():
    """The documents that may have tables."""
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def rendered(name):
    """The table of a file of results."""
    result = json.loads((RESULTS / f"{name}.json").read_text())
    width = len(result["columns"])
    for row in result["rows"]:
        if len(row) != width:
            raise ValueError(f"{name}: a row has {len(row)} cells, not {width}: {row}")
    line = lambda cells: "| " + " | ".join(cells) + " |\n"
    rows = "".join(map(line, result["rows"]))
    return line(result["columns"]) + "|" + "---|" * width + "\n" + rows


def add_arguments(parser):
    parser.add_argument("--check", action="store_true",
                        help="change nothing; fail where a table is not the rendering of its "
                        "file, or a file has no table")


def main(options):
    check = options.check
    wrong, lost, seen = [], [], set()
    for path in documents():
        text, where = path.read_text(), path.relative_to(ROOT)

        def table(match):
            begin, name, body, end = match.groups()
            seen.add(name)
            new = rendered(name)
            if new != body:
                wrong.append(f"{where}: the table {name} is not the rendering of its file")
            return begin + new + end

        new = TABLE.sub(table, text)
        lost += [f"{where}: no file gives this table: {line}" for line in without_file(text)]
        if new != text and not check:
            path.write_text(new)
    files = {path.stem for path in RESULTS.glob("*.json")}
    lost += [f"benches/results/{name}.json: no table" for name in sorted(files - seen)]
    for line in wrong + lost:
        print(line)
    if check:
        print(f"{len(seen)} tables")
    return int(bool((check and wrong) or lost))
