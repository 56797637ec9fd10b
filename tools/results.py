"""Writes a table of measured figures for render.py: benches/results/NAME.json."""

import datetime
import json
import os
import re
import sys

from toolchain import ROOT, run

RESULTS = ROOT / "benches/results"


def output(*command):
    """What a command prints; nothing if it is not there."""
    try:
        return run(*command).stdout
    except OSError:
        return ""


def version(text):
    """The first number of the form 1.2 or 1.2.3 in a text."""
    found = re.search(r"\d+(\.\d+)+", text)
    return found[0] if found else "unknown"


def command_line():
    """What was run, without the folders of this machine; of files elsewhere, the name."""
    shown = [one for one in sys.argv[1:] if not os.path.isdir(one)]
    folders = len(shown) < len(sys.argv[1:])
    shown = [os.path.basename(one) if os.path.isabs(one) else one for one in shown]
    return " ".join(["python3 tools", *shown, *["DIRECTORY..."] * folders])


def write(name, title, columns, rows):
    """Writes the table `name`: cells are shown as they are given, as text; what was run is
    this program's command line.

    Of which commit the figures are, and of which tools, is filled in here; uncommitted
    changes show as "+" behind the commit.
    """
    changed = output("git", "status", "--porcelain", "--untracked-files=no").strip()
    release = re.search(r"release ([\d.]+), V([\d.]+)", output(".venv/bin/ptxas", "--version"))
    result = {
        "title": title,
        "command": command_line(),
        "commit": output("git", "rev-parse", "--short=12", "HEAD").strip() + ("+" if changed else ""),
        "date": datetime.date.today().isoformat(),
        "tools": {
            "llvm": version(output("llc-22", "--version")),
            "ptxas": release[2] if release else "unknown",
        },
        "columns": [str(column) for column in columns],
        "rows": [[str(cell) for cell in row] for row in rows],
    }
    text = json.dumps(result, indent=1, ensure_ascii=False)
    (RESULTS / f"{name}.json").write_text(text + "\n")
