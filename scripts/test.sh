#!/usr/bin/env bash
# Runs every check, goes on after a failure, and ends with "N passed, N failed": the
# tests of each step one by one, or the step as one. docs/testing.md says what the
# steps are for.
# Each step's whole output is in target/test/STEP.log.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
passed=0 failed=0 logs=target/test
mkdir -p $logs

# step NAME COMMAND...: sets rc; shows the end of the output when it fails.
step() {
  local name=$1 start=$SECONDS
  shift
  rc=0
  "$@" >"$logs/$name.log" 2>&1 || rc=$?
  if ((rc)); then
    echo "--- $name FAILED ($logs/$name.log ends so)"
    tail -n 60 "$logs/$name.log"
  else
    echo "--- $name ok ($((SECONDS - start)) s)"
  fi
}

# A step that counts as one.
one() {
  step "$@"
  if ((rc)); then ((++failed)); else ((++passed)); fi
}

# count NAME PASSED FAILED: a step of many tests. One that ended badly without
# a failed test, or ran none at all, counts as a failure.
count() {
  local ok=$2 bad=$3
  if ((bad == 0 && (rc || ok == 0))); then bad=1; fi
  echo "    $1: $ok passed, $bad failed"
  ((passed += ok, failed += bad)) || true
}

# sum LOG REGEX: adds up the numbers in what matches.
sum() {
  { grep -oE "$2" "$logs/$1.log" || true; } | grep -oE '[0-9]+' | awk '{ n += $1 } END { print n + 0 }'
}

one install scripts/install.sh
one fmt cargo fmt --all --check
one fmt-fuzz cargo fmt --manifest-path fuzz/Cargo.toml --check
one clippy cargo clippy --quiet --workspace --all-targets -- -D warnings
one fuzz-targets cargo clippy --quiet --manifest-path fuzz/Cargo.toml \
  --target-dir target/fuzz-check -- -D warnings
mapfile -t cpp < <(find src ptx-interpreter differential-programs scripts llvm-tests/Inputs benches \
  -name '*.c' -o -name '*.cpp' -o -name '*.h')
one clang-format clang-format-22 --dry-run -Werror "${cpp[@]}"
one build cargo build --release --workspace

if command -v cargo-nextest >/dev/null; then
  step rust cargo nextest run --workspace --no-fail-fast --no-tests=pass --color never
  summary='^ *Summary.*'
else
  step rust cargo test --workspace --no-fail-fast --lib --bins --tests
  summary='^test result:.*'
fi
grep -E "$summary" $logs/rust.log >$logs/rust-summary.log || true
count rust "$(sum rust-summary '[0-9]+ passed')" "$(sum rust-summary '[0-9]+ (failed|timed out)')"
one doc-tests cargo test --quiet -p passes --doc

step lit $LLVM/lit -v -j 2 llvm-tests
count lit "$(sum lit '^ +(Passed|Expectedly Failed) *: [0-9]+')" \
  "$(sum lit '^ +(Failed|Timed Out|Unresolved|Unexpectedly Passed) *: [0-9]+')"

# What ends with "N passed, N failed" itself.
many() {
  step "$@"
  count "$1" "$(sum "$1" '^[0-9]+ passed')" "$(sum "$1" ' [0-9]+ failed$')"
}
many examples scripts/check_examples.sh
((rc)) || sed "/ passed, /d; /^$/d" $logs/examples.log
many occupancy scripts/check_occupancy.sh
many interpreter scripts/check_interpreter.sh
many executed scripts/check_executed.sh
many kernels scripts/compare_kernels.sh
many random-kernels scripts/random_kernels.sh
many prepared-kernels scripts/prepared_kernels.sh
many prepared-programs scripts/prepared_programs.sh
many prepared-stress scripts/prepared_stress.sh
many prepared-random-kernels scripts/prepared_random_kernels.sh
many shared-spills scripts/shared_spills.sh
one planted-faults scripts/plant_faults.sh
many differential scripts/differential.sh
many sanitize scripts/sanitize.sh
many unsafe scripts/check_unsafe.sh
many threads scripts/check_threads.sh
many memory scripts/check_memory.sh
many huge scripts/huge_functions.sh
many determinism scripts/check_determinism.sh

echo
echo "$passed passed, $failed failed"
((failed == 0))
