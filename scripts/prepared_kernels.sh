#!/usr/bin/env bash
# The examples' kernels before and after the passes over IR, executed in ptx-interpreter:
# what they write to memory must be the same. They are compiled without clang's inlining
# and unrolling, so that ours have something to do, and without contraction, which depends
# on what stands in one block. The interpreter compares every access to memory that other
# threads see: the examples that are left out load some values fewer times afterwards, or
# have calls with stack variables that it refuses. Prints a line for each example, with
# the accesses to local memory in PTX before and after, and the counts.
# usage: prepared_kernels.sh [EXAMPLE...]      (default: those that can be compared)
# Environment: SM (default 90), PLUGIN.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
(($#)) || set -- branches calls histogram mma sha256 softmax stencil3d
sm=${SM:-90}
out=target/prepared-kernels
need_plugin
cargo build --quiet --release -p ptx-interpreter
mkdir -p "$out"

local_accesses() { grep -cE '\.local\.[a-z0-9.]+' "$1" || true; }

# try NAME: sets result to "ok ..." or "FAIL ...".
try() {
  local base=$out/$1 log=$out/$1.log
  result="FAIL $(basename "$log")"
  clang-22 -x cuda --cuda-device-only "--cuda-gpu-arch=sm_$sm" --cuda-path=.venv/cuda \
    -std=c++17 -O2 -ffp-contract=off -Xclang -disable-llvm-passes -Wno-unknown-cuda-version \
    -emit-llvm -c "examples/$1.cu" -o "$base.bc" 2>"$log" || return 0
  opt-22 -passes="always-inline,globaldce,$simplify" "$base.bc" -o "$base.before.bc" 2>"$log" || return 0
  prepare "$base.before.bc" "$base.after.bc" 2>"$log" || return 0
  local side
  for side in before after; do
    nvptx_llc "$sm" "$base.$side.bc" -o "$base.$side.ptx" 2>"$log" || return 0
  done
  if target/release/ptx-compare "$base.before.ptx" "$base.after.ptx" >"$log" 2>&1 &&
    grep -q ' 0 different, 0 unusable$' "$log"; then
    result="ok, local accesses $(local_accesses "$base.before.ptx") to $(local_accesses "$base.after.ptx"), $(tail -n 1 "$log")"
  else
    result="FAIL $(grep -m1 -E 'DIFFERENT|refused|unusable:' "$log" || tail -n 1 "$log")"
  fi
}

passed=0 failed=0
for name in "$@"; do
  try "$name"
  case $result in
  ok*) ((++passed)) ;;
  *) ((++failed)) ;;
  esac
  echo "$name: $result"
done
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
