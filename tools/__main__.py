"""Benchmarks, the documents' tables, and the reducer: python3 tools COMMAND --help.

Those without folders of kernels take the examples. --table writes the figures to
benches/results; `render` puts them into the documents."""

import argparse
import sys

import corpus
import cpu
import executed
import gpu
import gpu_prepare
import inductor
import occupancy
import prediction
import prepared
import profiles
import reduce
import render
import spill_costs
import spills
import techniques
import times
import triton
import tune

COMMANDS = {
    "corpus": corpus,
    "cpu": cpu,
    "executed": executed,
    "gpu": gpu,
    "gpu-prepare": gpu_prepare,
    "inductor": inductor,
    "occupancy": occupancy,
    "prediction": prediction,
    "prepared": prepared,
    "profiles": profiles,
    "reduce": reduce,
    "render": render,
    "spill-costs": spill_costs,
    "spills": spills,
    "techniques": techniques,
    "times": times,
    "triton": triton,
    "tune": tune,
}


def main():
    parser = argparse.ArgumentParser(prog="python3 tools", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        command = commands.add_parser(
            name, help=module.__doc__.split("\n\n")[0].replace("\n", " "),
            description=module.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
        module.add_arguments(command)
        command.set_defaults(main=module.main)
    options = parser.parse_args()
    return options.main(options)


sys.exit(main())
