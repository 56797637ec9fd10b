#!/usr/bin/env bash
# A random kernel, compiled by stock llc and by the plugin, executed in ptx-interpreter and
# compared. Every second kernel is optimised by opt first, but not into operations on pairs
# of 16-bit numbers, which the interpreter does not know. Declined if the limit is too small
# for an instruction or a call. case.sh SM SEED LIMIT [OPTION...]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
sm=$1 seed=$2 limit=$3 options=("${@:4}") input=$CASE/kernel.ll
target/release/random-kernel --seed "$seed" >"$input"
((seed % 2)) || opt-22 -O2 -vectorize-loops=false -vectorize-slp=false -S "$input" -o "$input"
nvptx_llc "$sm" "$input" -o "$CASE/stock.ptx"
# shellcheck disable=SC2046
if ! nvptx_llc "$sm" $(warpalloc_here) "-nvptx-regalloc-pressure-limit=$limit" \
  "${options[@]}" -verify-regalloc "$input" -o "$CASE/ptx" 2>"$CASE/log"; then
  if grep -qE "$too_small" "$CASE/log"; then declined "$(grep -m1 error "$CASE/log")"; fi
  fail "$(grep -m1 error "$CASE/log" || tail -n 1 "$CASE/log")"
fi
same_memory "$CASE/stock.ptx" "$CASE/ptx"
