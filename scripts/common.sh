# shellcheck shell=bash disable=SC2034
# Sourced by the scripts: goes to the repository's root and names what they use.
[[ -z ${PLUGIN:-} ]] || PLUGIN=$(realpath "$PLUGIN")
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
PLUGIN=${PLUGIN:-$PWD/target/release/libwarpalloc.so}
LLVM=/usr/lib/llvm-22/bin

# What clang does to IR at -O2, but for inlining and unrolling: so the passes over IR have
# something to do.
simplify='function(sroa,early-cse,simplifycfg,loop(loop-rotate),instcombine<no-verify-fixpoint>,loop(indvars))'

# All passes over IR, from one file to another, and those that want a limit with a low one.
prepare() {
  local plugin="-load-pass-plugin=$PLUGIN"
  opt-22 "$plugin" -passes=warpalloc -verify-each "$1" -o - |
    opt-22 "$plugin" -nvptx-regalloc-pressure-limit=16 -verify-each -o "$2" \
      -passes='warpalloc-hoist,warpalloc-if-convert,function(simplifycfg),warpalloc-sink'
}

# The version of all crates.
version() { sed -nE '/^\[workspace.package\]/,/^$/s/^version = "(.*)"$/\1/p' Cargo.toml; }

# need_tool CRATE VERSION [ARGUMENT...]: a program of crates.io, in target/tools/bin.
need_tool() {
  local program=target/tools/bin/$1
  [[ -x $program && $("$program" --version) == *"$2"* ]] ||
    cargo install --quiet --locked --root target/tools --version "=$2" "$1" "${@:3}"
}

# What the tests of python/ need besides Triton.
python_test_packages=(pytest==9.2.0 wrapt==2.5.2)

# python_environment FOLDER STAMP COMMAND...: an environment of Python's which the command fills.
# Does nothing, quickly, when it is there with the same stamp. Who comes while another makes it
# waits.
python_environment() {
  local folder=$1 stamp=$2
  shift 2
  mkdir -p "${folder%/*}"
  (
    flock 8
    [[ ! -f $folder/.stamp || $(<"$folder/.stamp") != "$stamp" ]] || exit 0
    rm -rf "$folder"
    python3 -m venv "$folder"
    "$@" >&2
    echo "$stamp" >"$folder/.stamp"
  ) 8>"$folder.lock"
}

need_plugin() {
  [[ -f $PLUGIN ]] || {
    echo "$PLUGIN is missing: run cargo build --release" >&2
    exit 1
  }
}

# llc for one SM. The version of the PTX language must be given on the command
# line: what the functions' attributes say does not reach the file's header.
nvptx_llc() {
  local sm=$1
  shift
  llc-22 -O2 "-mcpu=sm_$sm" -mattr=+ptx88 "$@"
}

# The newest ptxas that knows the SM.
nvptx_ptxas() {
  local sm=$1 ptxas=.venv/bin/ptxas
  shift
  ((sm >= 75)) || ptxas=.venv/bin/ptxas-12
  "$ptxas" "-arch=sm_$sm" "$@"
}

# The options that choose warpalloc; more of them in WARPALLOC_FLAGS.
warpalloc() { echo "-load=$PLUGIN" -regalloc=warpalloc "${WARPALLOC_FLAGS:-}"; }

# The same, with values spilled here: what tests the allocator.
warpalloc_here() { echo "$(warpalloc)" -warpalloc-spills=here; }

# Reads the output of ptxas -v: one line "NAME REGISTERS STACK STORES LOADS" for
# each kernel (device functions of their own report no registers and are left out).
ptxas_table() {
  sed -n "s/.*Compiling entry function '\([^']*\)'.*/entry \1/p
    s/.*Function properties for \(.*\)/props \1/p
    s/ *\([0-9]*\) bytes stack frame, \([0-9]*\) bytes spill stores, \([0-9]*\) bytes spill loads/spill \1 \2 \3/p
    s/.*Used \([0-9]*\) registers.*/used \1/p" | awk '
    $1 == "entry" { entry = $2 }
    $1 == "props" { fn = $2 }
    $1 == "spill" { s[fn] = $2 " " $3 " " $4 }
    $1 == "used" { print entry, $2, s[entry] }'
}

# Instructions of the machine code that go to local memory: spills by whoever, and
# the program's own arrays.
local_accesses() { .venv/bin/nvdisasm -c "$1" | grep -cE '\b(LDL|STL)\b' || true; }
