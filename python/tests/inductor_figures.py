"""Writes what Inductor's kernels cost as Triton compiles them, and with warpalloc enabled.

usage: inductor_figures.py COMMAND FILE SM...

Each kernel of the models of `inductor_steps.py` gets one line of JSON in the file, as
`Cache.figures` gives it. `COMMAND` is the path of `warpalloc-llc`.
"""

import json
import pathlib
import sys
import tempfile

from inductor_cache import Cache


def main(command, file, *sms):
    with tempfile.TemporaryDirectory() as folder, open(file, "w", encoding="utf-8") as out:
        cache = Cache(pathlib.Path(folder), command)
        for sm in map(int, sms):
            for line in cache.figures(sm):
                print(json.dumps(line), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
