"""The commands `warpalloc-llc` and `warpalloc`: where they are, what they are, how they run.

Nothing here knows of Triton.
"""

import hashlib
import os
import pathlib
import shlex
import shutil
import subprocess

# The setting that names `warpalloc-llc`.
VARIABLE = "WARPALLOC_COMMAND"
NAME = "warpalloc-llc"
PLUGIN = "libwarpalloc.so"
# What the launcher itself reads: it changes code like an argument.
LAUNCHER_VARIABLES = ("WARPALLOC_LLC", "WARPALLOC_OPTIONS")
SECONDS = 600


class CommandError(Exception):
    """A command is missing, has failed, or has said what it should not."""


def find(command=None):
    """The path of `warpalloc-llc`: what is given, what the variable names, the one of this
    package, the one on the path."""
    named = command or os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise CommandError(f"{named} is no program")
        return os.path.abspath(found)
    ours = pathlib.Path(__file__).parent / "bin" / NAME
    found = str(ours) if ours.is_file() else shutil.which(NAME)
    if found is None:
        raise CommandError(f"{NAME} is not on the path; set {VARIABLE}")
    return os.path.abspath(found)


def fingerprint(command, options):
    """A text that differs wherever the code may differ that the command makes.

    It has the contents of the command, of the plugin, and of files that options name, the
    version that the command prints, and what the launcher reads from the environment.
    """
    digest = hashlib.sha256()

    def add(*parts):
        for part in parts:
            data = part if isinstance(part, bytes) else str(part).encode()
            digest.update(str(len(data)).encode() + b":" + data)

    path = pathlib.Path(command).resolve()
    plugins = [path.parent / PLUGIN, path.parent.parent / "lib" / PLUGIN]
    for file in [path, *filter(pathlib.Path.is_file, plugins)]:
        add(file.read_bytes())
    words = list(options)
    for name in LAUNCHER_VARIABLES:
        value = os.environ.get(name, "")
        add(name, value)
        words += _split(name, value) if name == "WARPALLOC_OPTIONS" else []
    for word in words:
        add(word)
        file = pathlib.Path(word.partition("=")[2])
        if "=" in word and file.is_file():
            add(file.read_bytes())
    add(run([command, "--version"]))
    return digest.hexdigest()


def run(arguments, source=None):
    """What a command prints, given a text as its input.

    Raises CommandError if it cannot be run, fails, or takes too long, with what it says. A
    word of `llc` that it ignores something counts as a failure.
    """
    name = os.path.basename(arguments[0])
    try:
        # Names of files may be in any encoding: their bytes go through.
        done = subprocess.run(
            arguments,
            input=source,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=SECONDS,
            check=False,
        )
    except OSError as error:
        raise CommandError(f"cannot run {arguments[0]}: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise CommandError(f"{name} was ended after {SECONDS} seconds") from error
    if done.returncode != 0:
        said = done.stderr.strip() or f"exit status {done.returncode}"
        raise CommandError(f"{name} failed: {said}")
    # llc only warns of a processor or a feature that it does not know, and goes on without.
    for line in done.stderr.splitlines():
        if "is not a recognized" in line:
            raise CommandError(f"{name}: {line.strip()}")
    return done.stdout


def local_accesses(command, nvdisasm, cubin):
    """Accesses to local memory and stall cycles of a cubin's file, weighed by loops."""
    costs = pathlib.Path(command).with_name("warpalloc")
    listing = pathlib.Path(f"{cubin}.txt")
    listing.write_text(run([nvdisasm, "-c", "-hex", str(cubin)]))
    try:
        lines = run([str(costs), "cost", str(listing)]).splitlines()
    finally:
        listing.unlink()
    figures = [dict(word.split("=", 1) for word in shlex.split(line)[1:]) for line in lines]
    if not figures:
        raise CommandError("the machine code has no kernel")
    return tuple(sum(float(line[key]) for line in figures) for key in ("local", "issue"))


def _split(name, value):
    try:
        return shlex.split(value)
    except ValueError as error:
        raise CommandError(f"{name} is {value!r}: {error}") from error
