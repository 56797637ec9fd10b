#!/usr/bin/env bash
# A kernel with spill slots in shared memory, executed in ptx-interpreter beside stock llc's.
# Then its PTX is spoilt in the ways below, every one of which has to show: threads that share
# a slot or a part of one, slots that share a place, a thread number that leaves a dimension
# out, an array that is too small. case.sh SM EXAMPLE|SEED LIMIT
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
sm=$1 name=$2 limit=$3
input=target/examples/sm_$sm/$name.bc
if [[ $name =~ ^[0-9]+$ ]]; then
  input=$CASE/kernel.ll
  target/release/random-kernel --seed "$name" |
    sed -E 's/^(define ptx_kernel .*\)) \{/\1 "nvvm.maxntid"="128" {/' >"$input"
fi

# spoil WHAT SCRIPT: the sed script changes the PTX; if it does, that has to show.
spoil() {
  sed -E "$2" "$CASE/ptx" >"$CASE/bad.ptx"
  cmp -s "$CASE/ptx" "$CASE/bad.ptx" && return
  if target/release/ptx-compare "$CASE/stock.ptx" "$CASE/bad.ptx" >"$CASE/log" 2>&1 ||
    ! grep -q DIFFERENT "$CASE/log"; then
    fail "$1 does not show"
  fi
  echo "$1 shows"
}

# shellcheck disable=SC2046
if ! nvptx_llc "$sm" $(warpalloc_here) "-nvptx-regalloc-pressure-limit=$limit" -verify-regalloc \
  -warpalloc-spill-space=shared "$input" -o "$CASE/ptx" 2>"$CASE/log"; then
  if grep -qE "$too_small" "$CASE/log"; then declined "$(grep -m1 error "$CASE/log")"; fi
  fail "$(grep -m1 error "$CASE/log" || tail -n 1 "$CASE/log")"
fi
grep -q 'warpalloc_spill_space\[' "$CASE/ptx" || declined "no slot in shared memory"
nvptx_llc "$sm" "$input" -o "$CASE/stock.ptx"
same_memory "$CASE/stock.ptx" "$CASE/ptx"
spoil "one slot for all threads" 's/(thread, )[0-9]+(, space)/\10\2/'
spoil "half the stride" 's/(thread, )16(, space)/\18\2/; s/(thread, )8(, space)/\14\2/; s/(thread, )4(, space)/\12\2/'
spoil "twice the stride" 's/(thread, )8(, space)/\116\2/; s/(thread, )4(, space)/\18\2/'
spoil "an array of one byte" 's/(warpalloc_spill_space)\[[0-9]+\]/\1[1]/'
if [[ $name == stencil3d ]]; then
  spoil "one dimension too few" 's/mad.lo.u32 thread, thread, .*, place/mov.u32 thread, place/'
fi
