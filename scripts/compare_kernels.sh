#!/usr/bin/env bash
# Executes the examples' kernels as stock llc and as the plugin compile them, in
# ptx-interpreter, and compares what they write to memory. The examples must have been
# compiled to bitcode (scripts/compile_examples.sh). Prints a line for each example and
# limit, and the counts. "Declined" means that the plugin proves that the limit is too
# small: one instruction alone needs more registers.
# usage: compare_kernels.sh [EXAMPLE...]      (default: all of examples/)
# Environment: LIMITS (default "255 64 32 24 16"; 255 is no limit), SM (default 90).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
if (($# == 0)); then
  for source in examples/*.cu examples/cub/*.cu; do
    name=${source#examples/}
    name=${name//\//-}
    set -- "$@" "${name%.cu}"
  done
fi
sm=${SM:-90}
out=target/compare
need_plugin
cargo build --quiet --release -p ptx-interpreter
compare=target/release/ptx-compare
mkdir -p "$out"

# try NAME LIMIT: sets result to "ok ...", "declined ..." or "FAIL ...".
try() {
  local bitcode=target/examples/sm_$sm/$1.bc base=$out/$1.sm_$sm flags=() log
  log=$base.$2.log
  (($2 == 255)) || flags=("-nvptx-regalloc-pressure-limit=$2")
  # shellcheck disable=SC2046
  if ! nvptx_llc "$sm" $(warpalloc_here) "${flags[@]}" -verify-regalloc -verify-machineinstrs \
    "$bitcode" -o "$base.$2.ptx" 2>"$log"; then
    result="FAIL llc: $(grep -m1 error "$log" || tail -n 1 "$log")"
    # All errors must be of this kind.
    if grep -q 'budget of [0-9]* registers is too small' "$log" &&
      ! grep error "$log" | grep -qv 'budget of [0-9]* registers is too small'; then
      result="declined: ${result#FAIL llc: error: }"
    fi
  elif ! "$compare" "$base.stock.ptx" "$base.$2.ptx" >"$log" 2>&1; then
    result="FAIL $(grep -m1 -E 'DIFFERENT|refused' "$log" || tail -n 1 "$log")"
  elif ! grep -q ', 0 unusable$' "$log"; then
    # Every launch of an example must count.
    result="FAIL $(grep -m1 'unusable:' "$log" || tail -n 1 "$log")"
  else
    result="ok $(tail -n 1 "$log")"
  fi
}

passed=0 failed=0 declined=0
for name in "$@"; do
  nvptx_llc "$sm" "target/examples/sm_$sm/$name.bc" -o "$out/$name.sm_$sm.stock.ptx"
  for limit in ${LIMITS:-255 64 32 24 16}; do
    try "$name" "$limit"
    case $result in
    ok*) ((++passed)) ;;
    declined*) ((++declined)) ;;
    *) ((++failed)) ;;
    esac
    echo "$name $limit: $result"
  done
done
((declined == 0)) || echo "$declined declined"
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
