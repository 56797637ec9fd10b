#!/usr/bin/env python3
"""Counts the functions that differ between two files of LLVM IR: changed_functions.py
BEFORE AFTER. Numbers of attributes and metadata do not count, nor does a function that
nobody calls any more."""

import re
import subprocess
import sys

DISASSEMBLER = "/usr/lib/llvm-22/bin/llvm-dis"


def functions(file):
    """The text of each function, by name."""
    result = subprocess.run([DISASSEMBLER, file, "-o", "-"], capture_output=True, check=True)
    text = re.sub(r"[#!]\d+", "", result.stdout.decode(errors="replace"))
    found = re.finditer(r'^define [^@]*@("[^"]*"|[^(\s]+)\(.*?^}', text, re.M | re.S)
    return {match[1]: match[0] for match in found}


def main():
    before, after = map(functions, sys.argv[1:3])
    changed = [name for name, text in after.items() if before.get(name) != text]
    variables = [sum(text.count(" = alloca ") for text in side.values()) for side in (before, after)]
    print(
        f"{len(changed)} of {len(before)} functions changed, {len(before) - len(after)} gone,"
        f" stack variables {variables[0]} to {variables[1]}"
    )


main()
