"""Finds names in the documents behind which there is nothing. usage: names.py paths|links

paths: what stands in backticks and looks like a path of this repository. Paths may begin at
the root, or where the text's subject is; a file's name alone is that of any file. links: the targets of Markdown's links, relative to the document.
"""

import glob
import os
import re
import subprocess
import sys

BEGINNINGS = ["", "passes/", "passes/src/", "src/", "src/ir/", "docs/", "llvm-tests/"]
# Made by a build or a run, or another project's.
ELSEWHERE = ("target/", ".venv/", "llvm/", "lib/", "include/", "/", "~")
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:rs|sh|py|cpp))`")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


def files():
    """The names of all files of the repository."""
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True)
    return {os.path.basename(path) for path in listed.stdout.splitlines()}


def documents():
    found = glob.glob("*.md") + glob.glob("docs/**/*.md", recursive=True)
    return sorted(found)


def wrong_paths(path, text):
    for name in PATH.findall(text):
        is_there = name in NAMES or any(os.path.exists(begin + name) for begin in BEGINNINGS)
        if not is_there and not name.startswith(ELSEWHERE):
            yield f"{path}: there is no {name}"


def wrong_links(path, text):
    for target in LINK.findall(text):
        if not os.path.exists(os.path.join(os.path.dirname(path), target)):
            yield f"{path}: the link to {target} leads nowhere"


NAMES = files()
find = {"paths": wrong_paths, "links": wrong_links}[sys.argv[1]]
wrong = []
for path in documents():
    with open(path) as file:
        wrong += find(path, file.read())
print("\n".join(wrong))
sys.exit(bool(wrong))
