"""Writes a table of measured figures for render.py: benches/results/NAME.json."""

import datetime
import json
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def output(*command):
    """What a command prints; nothing if it is not there."""
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    except OSError:
        return ""


def version(text):
    """The first number of the form 1.2 or 1.2.3 in a text."""
    found = re.search(r"\d+(\.\d+)+", text)
    return found[0] if found else "unknown"


# Sources of kernels as the documents name them, by their folders.
SOURCES = {
    "cub": "CUB",
    "cufinufft": "cuFINUFFT",
    "cutlass": "CUTLASS",
    "lightgbm": "LightGBM",
    "llamacpp": "llama.cpp",
    "triton": "Triton",
    "triton90": "Triton for Hopper",
    "triton100": "Triton for Blackwell",
}


def source(folder):
    """How the documents name a folder of kernels."""
    return SOURCES.get(folder, "examples" if folder.startswith("sm_") else folder)


def command_line(script, arguments):
    """What was run, without the folders of this machine."""
    shown = ["DIRECTORY" if os.path.isdir(one) else one for one in arguments]
    folders = shown.count("DIRECTORY")
    shown = [one for one in shown if one not in ("DIRECTORY", "--table")]
    return " ".join(["benches/" + script, *shown, *["DIRECTORY..."] * (folders > 0)])


def write(name, title, command, columns, rows):
    """Writes the table `name`: cells are shown as they are given, as text.

    Of which commit the figures are, and of which tools, is filled in here; uncommitted
    changes show as "+" behind the commit.
    """
    changed = output("git", "status", "--porcelain", "--untracked-files=no").strip()
    release = re.search(r"release ([\d.]+), V([\d.]+)", output(".venv/bin/ptxas", "--version"))
    result = {
        "title": title,
        "command": command,
        "commit": output("git", "rev-parse", "--short=12", "HEAD").strip() + ("+" if changed else ""),
        "date": datetime.date.today().isoformat(),
        "tools": {
            "llvm": version(output("llc-22", "--version")),
            "ptxas": release[2] if release else "unknown",
        },
        "columns": [str(column) for column in columns],
        "rows": [[str(cell) for cell in row] for row in rows],
    }
    path = os.path.join(ROOT, "benches/results", name + ".json")
    with open(path, "w") as file:
        json.dump(result, file, indent=1, ensure_ascii=False)
        file.write("\n")
    return path
