#!/usr/bin/env bash
# Kernels with spill slots in shared memory, executed in ptx-interpreter beside stock
# llc's: examples with launch bounds, of one and two dimensions, and random kernels that
# are given some. Then each PTX is spoilt in the ways below, every one of which has to
# show: threads that share a slot or a part of one, slots that share a place, a thread
# number that leaves a dimension out, an array that is too small.
# The examples must have been compiled (scripts/compile_examples.sh).
# usage: shared_spills.sh [EXAMPLE...]   (default: gemm mma nbody stencil3d)
# Environment: FIRST (default 1) and COUNT (default 40), random kernels; LIMITS (default
# "40 32 24"); SM (default 90).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
(($#)) || set -- gemm mma nbody stencil3d
sm=${SM:-90} first=${FIRST:-1} count=${COUNT:-40}
out=target/shared-spills
compare=target/release/ptx-compare
need_plugin
cargo build --quiet --release -p ptx-interpreter
rm -rf "$out"
mkdir -p "$out"
passed=0 failed=0 none=0

verdict() {
  if [[ $1 == ok ]]; then
    ((++passed))
  else
    ((++failed))
    echo "FAIL $2"
  fi
}

# spoil WHAT SCRIPT: the sed script changes the PTX; if it does, that has to show.
spoil() {
  sed -E "$2" "$base.ptx" >"$base.bad.ptx"
  cmp -s "$base.ptx" "$base.bad.ptx" && return
  if "$compare" "$base.stock.ptx" "$base.bad.ptx" >"$base.log" 2>&1 ||
    ! grep -q DIFFERENT "$base.log"; then
    verdict hidden "$base: $1 does not show"
  else
    verdict ok
  fi
}

# try LIMIT: compares $base, then spoils it.
try() {
  # shellcheck disable=SC2046
  if ! nvptx_llc "$sm" $(warpalloc_here) "-nvptx-regalloc-pressure-limit=$1" -verify-regalloc \
    -warpalloc-spill-space=shared "$input" -o "$base.ptx" 2>"$base.log"; then
    grep -qE 'budget of [0-9]+ registers is too small|ran out of registers' "$base.log" ||
      verdict error "$base: $(grep -m1 error "$base.log")"
    return 0
  fi
  if ! grep -q 'warpalloc_spill_space\[' "$base.ptx"; then
    ((++none))
    return 0
  fi
  nvptx_llc "$sm" "$input" -o "$base.stock.ptx"
  if ! "$compare" "$base.stock.ptx" "$base.ptx" >"$base.log" 2>&1 ||
    ! grep -q ' 0 different, 0 unusable$' "$base.log"; then
    verdict different "$base: $(grep -m1 -E 'DIFFERENT|unusable|refused' "$base.log")"
    return 0
  fi
  verdict ok
  spoil "one slot for all threads" 's/(thread, )[0-9]+(, space)/\10\2/'
  spoil "half the stride" 's/(thread, )16(, space)/\18\2/; s/(thread, )8(, space)/\14\2/; s/(thread, )4(, space)/\12\2/'
  spoil "twice the stride" 's/(thread, )8(, space)/\116\2/; s/(thread, )4(, space)/\18\2/'
  spoil "an array of one byte" 's/(warpalloc_spill_space)\[[0-9]+\]/\1[1]/'
  if [[ $2 == deep ]]; then
    spoil "one dimension too few" 's/mad.lo.u32 thread, thread, .*, place/mov.u32 thread, place/'
  fi
}

for name; do
  input=target/examples/sm_$sm/$name.bc
  for limit in ${LIMITS:-40 32 24}; do
    base=$out/$name.$limit
    shape=flat
    [[ $name == stencil3d ]] && shape=deep
    try "$limit" $shape
  done
done
for ((seed = first; seed < first + count; seed++)); do
  input=$out/$seed.ll
  target/release/random-kernel --seed "$seed" |
    sed -E 's/^(define ptx_kernel .*\)) \{/\1 "nvvm.maxntid"="128" {/' >"$input"
  base=$out/$seed
  try 16 flat
done
echo "$none without a slot in shared memory"
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
