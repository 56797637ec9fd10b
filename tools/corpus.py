"""Builds five real programs, SQLite, Lua, zlib, bzip2 and LZ4, as one bitcode file each.

target/corpus/NAME.bc is for x86-64, not position-independent; target/corpus/ARCH/NAME.bc
for another processor; target/corpus/raw/NAME.bc what clang has done none of its
optimisations to. The sources come with crates from crates.io, the programs' main functions
from benches/drivers. Only what is out of date is compiled."""

import glob
import pathlib
import shutil

from toolchain import ROOT, TARGET, checked, in_parallel

CORPUS = TARGET / "corpus"
VENDOR = CORPUS / "vendor"
DRIVERS = ROOT / "benches/drivers"
CRATES = {"libsqlite3-sys": "0.39.1", "lua-src": "551.1.0", "libz-sys": "1.1.31",
          "bzip2-sys": "0.1.13", "lz4-sys": "1.11.1"}
NAMES = ("zlib", "bzip2", "lz4", "lua", "sqlite")
VARIANTS = ("x86_64", "aarch64", "riscv64", "raw")


def fetch():
    """The programs' sources, by the crates that have them."""
    manifest = "\n".join([
        '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"', "[workspace]",
        "[dependencies]", *(f'{name} = "={version}"' for name, version in CRATES.items())]) + "\n"
    folder = CORPUS / "fetch"
    (folder / "src").mkdir(parents=True, exist_ok=True)
    path = folder / "Cargo.toml"
    if VENDOR.is_dir() and path.exists() and path.read_text() == manifest:
        return
    print("corpus: fetching sources", flush=True)
    shutil.rmtree(VENDOR, ignore_errors=True)
    (folder / "src/lib.rs").touch()
    path.write_text(manifest)
    checked("cargo", "vendor", "-q", "--manifest-path", path, VENDOR)


def sources(folder, *left_out):
    """The C files of a folder, but for some."""
    return sorted(path for path in folder.glob("*.c") if path.stem not in left_out)


def program(name):
    """The sources and flags of a program."""
    vendor = lambda pattern: pathlib.Path(glob.glob(str(VENDOR / pattern))[0])
    if name == "sqlite":
        folder = vendor("libsqlite3-sys/sqlite3")
        flags = ["-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-DSQLITE_ENABLE_FTS5"]
        files = [folder / "sqlite3.c"]
    elif name == "lua":
        folder, flags = vendor("lua-src/lua-5.4*"), ["-DLUA_USE_POSIX"]
        files = sources(folder, "lua", "luac", "onelua", "ltests")
    elif name == "zlib":
        folder, flags = vendor("libz-sys/src/zlib"), []
        files = [path for path in sources(folder) if not path.stem.startswith("gz")]
    elif name == "bzip2":
        folder, flags = vendor("bzip2-sys/bzip2-*"), ["-DBZ_NO_STDIO"]
        files = sources(folder, "bzip2", "bzip2recover", "dlltest", "mk251", "spewG", "unzcrash")
    else:
        folder, flags = vendor("lz4-sys/liblz4/lib"), []
        files = sources(folder, "lz4file")
    return [DRIVERS / f"{name}_driver.c", *files], [f"-I{folder}", *flags]


def target_flags(variant):
    """clang's flags for a processor or variant."""
    if variant == "x86_64":
        return ["--target=x86_64-linux-gnu"]
    if variant == "raw":
        return ["--target=x86_64-linux-gnu", "-Xclang", "-disable-llvm-passes"]
    flags = [f"--target={variant}-linux-gnu", "-isystem", f"/usr/{variant}-linux-gnu/include"]
    return flags + ["-march=rv64gc"] * (variant == "riscv64")


def build(variant="x86_64"):
    """The bitcode of all programs, by name."""
    fetch()
    out = CORPUS if variant == "x86_64" else CORPUS / variant
    return {name: build_one(name, variant, out) for name in NAMES}


def build_one(name, variant, out):
    files, flags = program(name)
    result = out / f"{name}.bc"
    newest = max(path.stat().st_mtime for path in [*files, *DRIVERS.iterdir()])
    if result.exists() and result.stat().st_mtime > newest:
        return result
    print(f"corpus: compiling {name}", flush=True)
    folder = out / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # A source and its object have one name; no program has two sources of one.
    objects = [folder / f"{path.stem}.bc" for path in files]
    clang = ["clang-22", *target_flags(variant), "-O2", "-w", "-fno-pic", "-fno-pie", *flags]
    compiled = lambda pair: checked(*clang, "-emit-llvm", "-c", pair[0], "-o", pair[1])
    list(in_parallel(compiled, zip(files, objects), 2))
    checked("llvm-link-22", "-o", result, *sorted(objects))
    return result


def add_arguments(parser):
    parser.add_argument("variant", nargs="?", choices=VARIANTS, default="x86_64")


def main(options):
    for path in build(options.variant).values():
        print(f"corpus: {path.relative_to(ROOT)}, {path.stat().st_size} bytes")
    return 0
