#!/usr/bin/env bash
# A random function of llvm-stress that works on stack variables (on_stack.py), before and
# after the passes over IR, executed on this machine: what it writes must be the same. Its
# behaviour is made defined first (differential/defined.py); of what writes something else
# after LLVM's own passes nothing can be said all the same, as when it reads a bit from a byte
# that is neither 0 nor 1. Nothing optimises what the passes made. case.sh SEED
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
reference='cgscc(inline),function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)'
llvm-stress-22 -size $((100 + $1 * 100 % 1000)) -seed "$1" |
  sed 's/@autogen_SD[0-9]*/@function/; /^source_filename/d' |
  python3 tests/differential/defined.py | python3 tests/prepared-stress/on_stack.py |
  opt-22 -mtriple=x86_64-linux-gnu -passes=verify -o "$CASE/before.bc"
prepare "$CASE/before.bc" "$CASE/after.bc"
opt-22 -passes="$reference" "$CASE/before.bc" -o "$CASE/reference.bc"
clang-22 -w -O1 -c tests/differential/stress.c -o "$CASE/driver.o"
for side in before reference after; do
  llc-22 -O2 -relocation-model=static "$CASE/$side.bc" -filetype=obj -o "$CASE/$side.o"
  gcc -no-pie "$CASE/$side.o" "$CASE/driver.o" -o "$CASE/$side" -lm
done
if ! timeout 10 "$CASE/before" >"$CASE/before.out" ||
  ! timeout 10 "$CASE/reference" >"$CASE/reference.out" ||
  ! cmp -s "$CASE/before.out" "$CASE/reference.out"; then
  declined "no defined behaviour"
fi
timeout 20 "$CASE/after" >"$CASE/after.out" || fail "it does not end as it did"
cmp "$CASE/before.out" "$CASE/after.out" || fail "other memory"
report_change "$CASE/before.bc" "$CASE/after.bc"
