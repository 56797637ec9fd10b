#!/usr/bin/env bash
# An example with all checkers on: each function keeps to its limit, `warpalloc replay` makes
# of the dump what the plugin made, and ptxas accepts the PTX. case.sh SM NAME LIMIT
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
sm=$1 name=$2 limit=$3 flags=()
((limit == 255)) || flags=("-nvptx-regalloc-pressure-limit=$limit")
# shellcheck disable=SC2046
nvptx_llc "$sm" $(warpalloc_here) "${flags[@]}" -verify-regalloc -verify-machineinstrs \
  -print-regalloc-stats "-warpalloc-dump=$CASE/dump" "target/examples/sm_$sm/$name.bc" \
  -o "$CASE/ptx" 2>"$CASE/log" ||
  fail "llc: $(grep -vE '^ *#|^PLEASE|^Stack dump|^[0-9]+\.' "$CASE/log" | grep -m1 . || echo no message)"
# Each function of the PTX has its line, and each line keeps to the budget.
awk -v limit="$limit" -v functions="$(grep -c '^{' "$CASE/ptx")" '
  function wrong(text) { print text; bad = 1; exit }
  /^warpalloc: function=/ {
    n++; delete v
    for (i = 2; i <= NF; i++) { split($i, kv, "="); v[kv[1]] = kv[2] }
    if (!("spilled" in v)) wrong(v["function"] " has no statistics")
    # A function without values uses no register file, and has neither key.
    if (!("used.R" in v) && !("maxlive.R" in v)) next
    for (k = 1; k <= 2; k++) {
      key = k == 1 ? "used.R" : "maxlive.R"
      if (!(key in v)) wrong(v["function"] " has no " key)
      if (v[key] + 0 > limit) wrong(v["function"] " " key "=" v[key])
    }
    if (v["used.R"] + 0 > most) most = v["used.R"] + 0
  }
  END {
    if (bad) exit 1
    if (n == 0 || n != functions) {
      print n + 0 " lines of statistics for " functions " functions"
      exit 1
    }
    print most + 0 " registers"
  }' "$CASE/log"
cmp -s <(grep '^warpalloc: function=' "$CASE/log" | sort) \
  <(target/release/warpalloc replay "$CASE/dump"/*.warp 2>&1 | sort) ||
  fail "replay is not the plugin's allocation"
nvptx_ptxas "$sm" -v -o "$CASE/cubin" "$CASE/ptx" >"$CASE/ptxas" 2>&1 ||
  fail "ptxas: $(grep -m1 -E 'rror|atal' "$CASE/ptxas" || echo no message)"
