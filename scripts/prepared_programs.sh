#!/usr/bin/env bash
# Random C programs (csmith), before and after the passes over IR, executed on this
# machine: their outputs must be the same. Clang's own inlining and unrolling are left out,
# so that ours find calls with local addresses and loops that index local arrays. A program
# that does not end in time counts as skipped. What failed stays in target/prepared-programs.
# Environment: FIRST (default 1), COUNT (default 40), PLUGIN.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
first=${FIRST:-1} count=${COUNT:-40}
out=target/prepared-programs

# try SEED: one word, and a reason for a failure.
try() {
  local base=$out/$1
  # It leaves a file in the current folder.
  (cd "$out" && csmith --seed "$1" --no-volatiles --max-array-dim 2 \
    --max-array-len-per-dim 6 --output "$1.c" >/dev/null)
  clang-22 -w -O2 -Xclang -disable-llvm-passes -I/usr/include/csmith -S -emit-llvm \
    "$base.c" -o - | opt-22 -passes="$simplify" -o "$base.before.bc"
  if ! prepare "$base.before.bc" "$base.after.bc" 2>"$base.log"; then
    echo "FAIL seed $1: $(tail -n 1 "$base.log")"
    return
  fi
  local side
  for side in before after; do
    clang-22 -w -O1 "$base.$side.bc" -o "$base.$side"
  done
  if ! timeout 10 "$base.before" >"$base.before.out"; then
    echo skipped
  elif ! timeout 20 "$base.after" >"$base.after.out"; then
    echo "FAIL seed $1: it does not end as it did"
    return
  elif ! cmp -s "$base.before.out" "$base.after.out"; then
    echo "FAIL seed $1: another output"
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
# It writes platform.info where it finds none, and fails where another is just writing it.
(cd "$out" && csmith --seed 1 >/dev/null)
seq "$first" $((first + count - 1)) |
  xargs -P "$(nproc)" -I{} scripts/prepared_programs.sh try {} >"$out/results"
report_prepared programs "$out/results"
