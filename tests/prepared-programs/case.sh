#!/usr/bin/env bash
# A random C program (csmith), before and after the passes over IR, executed on this machine:
# the outputs must be the same. Clang's own inlining and unrolling are left out, so that ours
# find calls with local addresses and loops that index local arrays. Nothing can be said of a
# program that does not end in time. case.sh SEED
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
# It leaves a file in the current folder.
(cd "$CASE" && csmith --seed "$1" --no-volatiles --max-array-dim 2 \
  --max-array-len-per-dim 6 --output program.c >/dev/null)
clang-22 -w -O2 -Xclang -disable-llvm-passes -I/usr/include/csmith -S -emit-llvm \
  "$CASE/program.c" -o - | opt-22 -passes="$simplify" -o "$CASE/before.bc"
prepare "$CASE/before.bc" "$CASE/after.bc"
for side in before after; do clang-22 -w -O1 "$CASE/$side.bc" -o "$CASE/$side"; done
timeout 10 "$CASE/before" >"$CASE/before.out" || declined "the program does not end in time"
timeout 20 "$CASE/after" >"$CASE/after.out" || fail "it does not end as it did"
cmp "$CASE/before.out" "$CASE/after.out" || fail "another output"
report_change "$CASE/before.bc" "$CASE/after.bc"
