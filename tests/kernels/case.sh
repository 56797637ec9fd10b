#!/usr/bin/env bash
# An example as stock llc and as the plugin compile it, executed in ptx-interpreter: what it
# writes to memory must be the same. Declined if the plugin proves that the limit is too
# small: one instruction alone needs more registers. case.sh SM NAME LIMIT
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
sm=$1 bitcode=target/examples/sm_$1/$2.bc limit=$3 flags=()
((limit == 255)) || flags=("-nvptx-regalloc-pressure-limit=$limit")
nvptx_llc "$sm" "$bitcode" -o "$CASE/stock.ptx"
# shellcheck disable=SC2046
if ! nvptx_llc "$sm" $(warpalloc_here) "${flags[@]}" -verify-regalloc -verify-machineinstrs \
  "$bitcode" -o "$CASE/ptx" 2>"$CASE/log"; then
  # All errors must be of this kind.
  if grep -q 'budget of [0-9]* registers is too small' "$CASE/log" &&
    ! grep error "$CASE/log" | grep -qv 'budget of [0-9]* registers is too small'; then
    declined "$(grep -m1 error "$CASE/log")"
  fi
  fail "llc: $(grep -m1 error "$CASE/log" || tail -n 1 "$CASE/log")"
fi
# Every launch of an example must count.
same_memory "$CASE/stock.ptx" "$CASE/ptx"
