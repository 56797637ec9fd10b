#!/usr/bin/env bash
# Runs the tests of the crate with unsafe code under Miri, where a nightly toolchain has it,
# or else under valgrind's memcheck. case.sh COUNT
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
log=$CASE/log status=0
if cargo +nightly miri --version >/dev/null 2>&1; then
  echo "Miri"
  # The random tables take too long here; the fuzz target "tables" runs them under
  # AddressSanitizer.
  # The bitvec crate goes against stacked borrows, the older of Miri's two models.
  MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-tree-borrows" \
    cargo +nightly miri test -p warpalloc --lib --target-dir target/miri -- \
    --skip tests::random >"$log" 2>&1 || status=$?
elif command -v valgrind >/dev/null; then
  echo "valgrind"
  export PROPTEST_CASES=$1
  # The whole workspace, as it was built for the other tests: alone the crate would be built
  # with other features.
  test=$(cargo test --workspace --lib --no-run 2>&1 |
    sed -n "s/.*Executable.*(\(.*\/warpalloc-[^)]*\))$/\1/p")
  valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite \
    "$test" --test-threads=1 >"$log" 2>&1 || status=$?
else
  fail "neither Miri nor valgrind is installed"
fi
tail -n 40 "$log"
((status == 0)) && grep -qE '^test result: ok\. [1-9][0-9]* passed; 0 failed' "$log"
