"""Reduces an LLVM module on which warpalloc goes wrong, with llvm-reduce.

  message --text TEXT INPUT   llc fails with TEXT in its messages, stock llc does not fail
  program INPUT               a program for this machine prints something else than with greedy
  kernels INPUT               kernels compute something else than as stock llc compiles them

The result is in target/reduce, under the input's name. Options of llc come behind `--`; those that stock llc
does not know are given to warpalloc only, and the checkers run unless the options turn them
off."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from toolchain import RELEASE, ROOT, SPILLS_HERE, TARGET, need, run

OWN = ("-warpalloc-", "-nvptx-regalloc-")


def add_arguments(parser):
    parser.add_argument("kind", choices=("message", "program", "kernels"))
    parser.add_argument("--text", help="what stands in the messages")
    # llvm-reduce calls this program so for each smaller input.
    parser.add_argument("--test", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("words", nargs="+", metavar="INPUT [-- OPTION...]")


def compiled(flags, kind, output, source):
    kind = "obj" if kind == "program" else "asm"
    return run("llc-22", "-O2", *flags, f"-filetype={kind}", source, "-o", output)


def prints(program, seconds):
    """What a program prints, or nothing where it fails or does not end."""
    try:
        result = subprocess.run([program], capture_output=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    return None if result.returncode else result.stdout


def interesting(kind, text, options, source):
    """Whether the input still shows the fault."""
    with tempfile.TemporaryDirectory() as folder:
        stock, ours = (os.path.join(folder, side) for side in ("stock", "ours"))
        known = [option for option in options if not option.startswith(OWN)]
        if compiled(known, kind, stock, source).returncode:
            return False
        checks = ["-verify-regalloc", "-verify-machineinstrs"]
        result = compiled([*SPILLS_HERE, *checks, *options], kind, ours, source)
        if kind == "message":
            return result.returncode != 0 and text in result.stderr
        if result.returncode:
            return False
        if kind == "kernels":
            found = run(RELEASE / "ptx-compare", stock, ours)
            return found.returncode != 0 and "DIFFERENT" in found.stdout + found.stderr
        for side in (stock, ours):
            if run("gcc", "-no-pie", side, "-o", side + ".exe").returncode:
                return False
        expected = prints(stock + ".exe", 5)
        return expected is not None and prints(ours + ".exe", 20) != expected


def main(options):
    # A first `--` in front of the options is gone by now or stands among the words.
    words = [word for word in options.words if word != "--"]
    if (options.kind == "message") != (options.text is not None):
        sys.exit("reduce: --text belongs to message")
    if options.test:
        *given, source = words
        return 0 if interesting(options.kind, options.text, given, source) else 1
    need(programs=options.kind == "kernels")
    source, *given = words
    source = pathlib.Path(source).resolve()
    if not interesting(options.kind, options.text, given, source):
        sys.exit(f"{source}: the fault does not show")
    result = TARGET / "reduce" / source.name
    result.parent.mkdir(parents=True, exist_ok=True)
    text = ["--text", options.text] if options.text else []
    own = [ROOT / "tools", "reduce", options.kind, *text, "--test", "--", *given]
    reducer = ["llvm-reduce-22", "-j", len(os.sched_getaffinity(0)), f"--test={sys.executable}",
               *(f"--test-arg={word}" for word in own), "-o", result, source]
    code = subprocess.run(list(map(str, reducer)), check=False, cwd=ROOT).returncode
    if code == 0:
        print(result.relative_to(ROOT))
    return code
