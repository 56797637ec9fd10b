"""Fails unless the tag in the name of a wheel is honest.

usage: wheel_tag.py WHEEL      (by a Python that has auditwheel)

auditwheel reads all ELF files of the wheel: the oldest C library that has every versioned
symbol they need must be no newer than that of the tag, and other libraries that they need must
be among those that every system with such a C library is taken to have. The wheel's own list of
tags has this tag alone.
"""

import json
import pathlib
import re
import subprocess
import sys
import zipfile

FORM = re.compile(r"manylinux_2_(\d+)_(\w+)")


def main(wheel):
    tag = pathlib.Path(wheel).stem.split("-")[-1]
    show = [sys.executable, "-m", "auditwheel", "show", "--json", wheel]
    found = json.loads(subprocess.run(show, stdout=subprocess.PIPE, check=True).stdout)
    needed = found["overall_tag"]
    print(f"{tag}, and {needed} is what it needs: {found['versioned_symbols']}")
    named, least = FORM.fullmatch(tag), FORM.fullmatch(needed)
    if not named or not least:
        sys.exit("it fits no C library for sure")
    if named[2] != least[2] or int(named[1]) < int(least[1]):
        sys.exit("the tag promises too much")
    with zipfile.ZipFile(wheel) as file:
        [metadata] = [name for name in file.namelist() if name.endswith(".dist-info/WHEEL")]
        inside = re.findall(r"^Tag: (.*)$", file.read(metadata).decode(), re.M)
    if inside != [f"py3-none-{tag}"]:
        sys.exit(f"in the wheel the tags are {inside}")


if __name__ == "__main__":
    main(*sys.argv[1:])
