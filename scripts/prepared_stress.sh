#!/usr/bin/env bash
# Random functions of llvm-stress that work on stack variables (on_stack.py), before and
# after the passes over IR, executed on this machine: what they write must be the same. Their
# behaviour is made defined first (differential/defined.py); what writes something else after
# LLVM's own passes is left out all the same, as when it reads a bit from a byte that is
# neither 0 nor 1. Nothing optimises what the passes made. What failed stays in
# target/prepared-stress.
# Environment: FIRST (default 1), COUNT (default 20), PLUGIN.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
first=${FIRST:-1} count=${COUNT:-20}
reference='cgscc(inline),function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)'
out=target/prepared-stress here=scripts/differential

# try SEED: one word, and a reason for a failure.
try() {
  local seed=$1 base=$out/$1 side
  llvm-stress-22 -size $((100 + seed * 100 % 1000)) -seed "$seed" |
    sed 's/@autogen_SD[0-9]*/@function/; /^source_filename/d' |
    python3 $here/defined.py | python3 scripts/on_stack.py |
    opt-22 -mtriple=x86_64-linux-gnu -passes=verify -o "$base.before.bc"
  if ! prepare "$base.before.bc" "$base.after.bc" 2>"$base.log"; then
    echo "FAIL seed $seed: $(tail -n 1 "$base.log")"
    return
  fi
  opt-22 -passes="$reference" "$base.before.bc" -o "$base.reference.bc"
  for side in before reference after; do
    llc-22 -O2 -relocation-model=static "$base.$side.bc" -filetype=obj -o "$base.$side.o"
    gcc -no-pie "$base.$side.o" "$out/driver.o" -o "$base.$side" -lm
  done
  if ! timeout 10 "$base.before" >"$base.before.out" ||
    ! timeout 10 "$base.reference" >"$base.reference.out" ||
    ! cmp -s "$base.before.out" "$base.reference.out"; then
    echo skipped
  elif ! timeout 20 "$base.after" >"$base.after.out"; then
    echo "FAIL seed $seed: it does not end as it did"
    return
  elif ! cmp -s "$base.before.out" "$base.after.out"; then
    echo "FAIL seed $seed: other memory"
    return
  elif cmp -s "$base.before.bc" "$base.after.bc"; then
    echo unchanged
  else
    echo changed
  fi
  rm "$base".*
}
if [[ ${1:-} == try ]]; then
  try "$2"
  exit
fi

need_plugin
rm -rf "$out"
mkdir -p "$out"
clang-22 -w -O1 -c $here/stress.c -o "$out/driver.o"
seq "$first" $((first + count - 1)) |
  xargs -P "$(nproc)" -I{} scripts/prepared_stress.sh try {} >"$out/results"
report_prepared functions "$out/results"
