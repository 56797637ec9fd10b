#!/usr/bin/env bash
# A benchmark of tools/ on one kernel. case.sh COMMAND PATTERN ARGUMENT...
# The pattern is of a line that it prints.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
command=$1 pattern=$2
shift 2
mkdir -p "$CASE/kernels"
cp target/examples/sm_90/softmax.bc "$CASE/kernels"
python3 tools "$command" --sm 90 "$@" "$CASE/kernels" >"$CASE/log" 2>&1 ||
  fail "$(tail -n 5 "$CASE/log")"
grep -qE -- "$pattern" "$CASE/log" || fail "no line has '$pattern': $(tail -n 5 "$CASE/log")"
# No kernel of the example goes wrong.
! grep -qE 'failed: |FAIL|left out for|not compared' "$CASE/log" || fail "$(cat "$CASE/log")"
grep -E -m1 -- "$pattern" "$CASE/log"
