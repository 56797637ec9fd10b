#!/usr/bin/env bash
# The passes over IR at length, which "make test" does in short: whole CPU programs, and so
# many of csmith's programs, functions of llvm-stress and random kernels, all executed before
# and after. Goes on after a failure and ends with "N passed, N failed". Each step's whole
# output is in target/prepared-all/STEP.log.
# Environment: COUNT (default 1000) programs of csmith and functions of llvm-stress, KERNELS
# (default 500); FIRST (default 1), the first seed of all; PLUGIN.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
count=${COUNT:-1000} kernels=${KERNELS:-500} logs=target/prepared-all
passed=0 failed=0
need_plugin
mkdir -p $logs

# step NAME COUNT SCRIPT: what it prints last but one says how many have changed.
step() {
  local name=$1 log=$logs/$1.log rc=0 ok bad
  COUNT=$2 "$3" >"$log" 2>&1 || rc=$?
  ok=$(sed -nE 's/^([0-9]+) passed, [0-9]+ failed$/\1/p' "$log")
  bad=$(sed -nE 's/^[0-9]+ passed, ([0-9]+) failed$/\1/p' "$log")
  # One that ended badly without a failed test counts as a failure.
  if ((rc && ${bad:-0} == 0)); then bad=1; fi
  ((passed += ${ok:-0}, failed += ${bad:-0})) || true
  echo "--- $name"
  grep -v ' passed, ' "$log" | tail -n 20
}
step programs 0 scripts/prepared_corpus.sh
step csmith "$count" scripts/prepared_programs.sh
step llvm-stress "$count" scripts/prepared_stress.sh
step random-kernels "$kernels" scripts/prepared_random_kernels.sh
step examples 0 scripts/prepared_kernels.sh

echo
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
