#!/usr/bin/env bash
# Allocates every example with the plugin, for each SM and several budgets, with
# all checkers on; checks the statistics against the budget and gives the PTX to
# ptxas. Prints a table (registers used, or FAIL) and the counts.
# usage: check_examples.sh [SM...]            (default: 70 80 90)
# Environment: ONLY, a pattern of names; LIMITS (default "255 128 64 32"; 255 is no limit).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
(($#)) || set -- 70 80 90
limits=${LIMITS:-255 128 64 32}
out=target/check
need_plugin
scripts/compile_examples.sh "$@" || true

# check SM NAME LIMIT: writes $out/NAME.sm_SM.LIMIT.result, "ok REGISTERS" or "FAIL reason".
check() {
  local sm=$1 name=$2 limit=$3 flags=() base result
  base=$out/$name.sm_$sm.$limit
  ((limit == 255)) || flags=("-nvptx-regalloc-pressure-limit=$limit")
  result() { echo "$*" >"$base.result"; }
  # shellcheck disable=SC2046
  nvptx_llc "$sm" $(warpalloc_here) "${flags[@]}" -verify-regalloc -verify-machineinstrs \
    -print-regalloc-stats "-warpalloc-dump=$base.dump" "target/examples/sm_$sm/$name.bc" \
    -o "$base.ptx" 2>"$base.log" || {
    result "FAIL llc: $(grep -vE '^ *#|^PLEASE|^Stack dump|^[0-9]+\.' "$base.log" | grep -m1 . || echo no message)"
    return
  }
  # Each function of the PTX has its line, and each line keeps to the budget.
  awk -v limit="$limit" -v functions="$(grep -c '^{' "$base.ptx")" '
    /^warpalloc: function=/ {
      n++; delete v
      for (i = 2; i <= NF; i++) { split($i, kv, "="); v[kv[1]] = kv[2] }
      if (!("spilled" in v)) { print "FAIL " v["function"] " has no statistics"; exit }
      # A function without values uses no register file, and has neither key.
      if (!("used.R" in v) && !("maxlive.R" in v)) next
      for (k = 1; k <= 2; k++) {
        key = k == 1 ? "used.R" : "maxlive.R"
        if (!(key in v)) { print "FAIL " v["function"] " has no " key; exit }
        if (v[key] + 0 > limit) { print "FAIL " v["function"] " " key "=" v[key]; exit }
      }
      if (v["used.R"] + 0 > most) most = v["used.R"] + 0
    }
    END { if (n != functions) print "FAIL " n + 0 " lines of statistics for " functions " functions"
          else print "ok " most + 0 }' "$base.log" | head -1 >"$base.result"
  grep -q '^ok' "$base.result" || return 0
  # The command makes the same of what the plugin dumped.
  if ! cmp -s <(grep '^warpalloc: function=' "$base.log" | sort) \
    <(target/release/warpalloc replay "$base.dump"/*.warp 2>&1 | sort); then
    result "FAIL replay: it is not the plugin's allocation"
    return
  fi
  rm -r "$base.dump"
  nvptx_ptxas "$sm" -v -o "$base.cubin" "$base.ptx" >"$base.ptxas" 2>&1 ||
    result "FAIL ptxas: $(grep -m1 -E 'rror|atal' "$base.ptxas" || echo no message)"
  rm -f "$base.cubin"
}
export -f check nvptx_llc nvptx_ptxas warpalloc warpalloc_here
export PLUGIN out

mkdir -p $out
rm -rf ${out:?}/*
names=()
for src in examples/*.cu examples/cub/*.cu; do
  name=${src#examples/}
  name=${name//\//-}
  name=${name%.cu}
  # shellcheck disable=SC2053
  [[ $name == ${ONLY:-*} ]] && names+=("$name")
done
for name in "${names[@]}"; do
  for sm; do for limit in $limits; do echo "$sm $name $limit"; done; done
done | xargs -P 2 -L 1 bash -c 'check "$@"' _

printf '%-24s' "registers used of"
for sm; do for limit in $limits; do printf ' %9s' "$sm:$limit"; done; done
echo
passed=0 failures=()
for name in "${names[@]}"; do
  printf '%-24s' "$name"
  for sm; do
    for limit in $limits; do
      result=$(cat "$out/$name.sm_$sm.$limit.result" 2>/dev/null || echo "FAIL did not run")
      if [[ $result == ok* ]]; then
        ((++passed))
        printf ' %9s' "${result#ok }"
      else
        failures+=("$name sm_$sm limit $limit: ${result#FAIL }")
        printf ' %9s' FAIL
      fi
    done
  done
  echo
done
((${#failures[@]} == 0)) || printf 'FAIL %s\n' "${failures[@]}"
echo
echo "$passed passed, ${#failures[@]} failed"
((${#failures[@]} == 0))
