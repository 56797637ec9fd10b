"""Makes what benches/gpu/run.sh needs on a machine with a GPU, in target/gpu: the launches
of ptx-run, stock's and our machine code, and the program that runs both."""

from toolchain import (ALLOCATOR, RELEASE, ROOT, TARGET, budget, checked, compile_examples, llc,
                       need, ptxas)

OUTPUT = TARGET / "gpu"
HOST = ROOT / "ptx-interpreter/tests/host"
NO_LIMIT = 255


def add_arguments(parser):
    parser.add_argument("--sm", default="90")
    parser.add_argument("--limits", default=f"{NO_LIMIT},64,32", help=f"{NO_LIMIT} is none")
    parser.add_argument("examples", nargs="*", metavar="EXAMPLE", help="none: all")


def main(options):
    need(programs=True)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    folder = compile_examples(options.sm)
    names = options.examples or sorted(path.stem for path in folder.glob("*.bc"))
    checked("clang++-22", "-std=c++20", "-O1", "-w", "-static-libstdc++", "-static-libgcc",
            "-I.venv/cuda/include", f"-I{HOST}", "benches/gpu/compare.cpp",
            "benches/gpu/driver.cpp", HOST / "launch.cpp", "-ldl", "-o", OUTPUT / "compare")
    for name in names:
        bitcode, stock = folder / f"{name}.bc", OUTPUT / f"{name}.stock.ptx"
        checked(*llc(options.sm, bitcode, "-o", stock))
        checked(*ptxas(options.sm, stock, "-o", stock.with_suffix(".cubin")))
        checked(RELEASE / "ptx-run", stock, OUTPUT / f"{name}.launches")
        for limit in map(int, options.limits.split(",")):
            ours = OUTPUT / f"{name}.{limit}.ptx"
            flags = budget(0 if limit == NO_LIMIT else limit)
            checked(*llc(options.sm, *ALLOCATOR, *flags, "-verify-regalloc", bitcode, "-o", ours))
            checked(*ptxas(options.sm, ours, "-o", ours.with_suffix(".cubin")))
    print(f"{len(names)} examples are ready in target/gpu")
    return 0
