"""Writes what Inductor's kernels cost as Triton compiles them, and with warpalloc enabled.

usage: inductor_figures.py COMMAND FILE SM...

Each kernel of the models of `inductor_steps.py` gets one line of JSON in the file: the model,
the SM, and registers, local accesses and stall cycles, weighed by loops, of Triton's own machine
code and of the one that is chosen with `COMMAND`, the path of `warpalloc-llc`.
"""

import json
import pathlib
import sys
import tempfile

from inductor_cache import MODELS, ON, Cache, figures


def lines(cache, sm):
    own, chosen = cache.run(sm, *MODELS), cache.run(sm, *MODELS, **ON)
    for model, *both in zip(MODELS, own, chosen, strict=True):
        for (before, _), (after, metadata) in zip(*map(cache.kernels, both), strict=True):
            yield {
                "model": model,
                "sm": sm,
                "own": figures(before, cache.command),
                "chosen": figures(after, cache.command),
                "ours": metadata.get("warpalloc_used", False),
            }


def main(command, file, *sms):
    with tempfile.TemporaryDirectory() as folder, open(file, "w", encoding="utf-8") as out:
        cache = Cache(pathlib.Path(folder), command)
        for sm in map(int, sms):
            for line in lines(cache, sm):
                print(json.dumps(line), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
