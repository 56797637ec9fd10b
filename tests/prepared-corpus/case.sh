#!/usr/bin/env bash
# A whole program, before and after the passes over IR, executed on this machine: what it
# prints must be the same. Either as clang -O2 leaves it, where few functions change, or
# without clang's inlining and unrolling, where ours find calls with local addresses and loops
# that index local arrays. Nothing optimises what the passes made: it is verified, and goes to
# code generation as it is. (-verify-each, which the other checks of the passes have, verifies
# a function once for each of its loops: hours, where calls have been inlined.)
# case.sh PROGRAM O2|simple
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
arguments=(1)
[[ $1 != lua ]] || arguments=(benches/drivers/mix.lua 1)
case $2 in
O2) cp "target/corpus/$1.bc" "$CASE/before.bc" ;;
*) opt-22 -passes="$simplify" "target/corpus/raw/$1.bc" -o "$CASE/before.bc" ;;
esac
opt-22 -load-pass-plugin="$PLUGIN" -passes=warpalloc,verify "$CASE/before.bc" -o "$CASE/after.bc"
for side in before after; do
  llc-22 -O2 -relocation-model=static "$CASE/$side.bc" -filetype=obj -o "$CASE/$side.o"
  clang-22 -no-pie "$CASE/$side.o" -o "$CASE/$side" -lm
  timeout 300 "$CASE/$side" "${arguments[@]}" >"$CASE/$side.out"
done
cmp "$CASE/before.out" "$CASE/after.out" || fail "another output"
[[ -s $CASE/before.out ]] || fail "no output"
changes=$(tests/prepared-corpus/changed_functions.py "$CASE/before.bc" "$CASE/after.bc")
echo "$changes"
metric changed "${changes%% *}"
