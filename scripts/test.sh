#!/usr/bin/env bash
# Runs lints, the tests of the crates and lit, goes on after a failure, and ends with
# "N passed, N failed": the tests of each step one by one, or the step as one.
# docs/testing.md says what the steps are for.
# usage: test.sh [--all]      (--all: every suite at its full size)
# Each step's whole output is in target/test/STEP.log, lit's results in target/test/*.xml.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
size=quick
[[ ${1:-} != --all ]] || size=full
passed=0 failed=0 logs=target/test
mkdir -p $logs
# Each crate is built once here: what incremental builds keep would only take room.
export CARGO_INCREMENTAL=0

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
  local ok=${2:-0} bad=${3:-0}
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
mapfile -t cpp < <(find src ptx-interpreter differential-programs standalone tests llvm-tests/Inputs benches \
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
one doc-tests cargo test --quiet --workspace --doc

# suites NAME OPTION... FOLDER...: tests/run.py prints a line for each suite, and the sum.
suites() {
  local name=$1
  shift
  step "$name" tests/run.py --results "$logs/$name" -j 2 -v --param "size=$size" "$@"
  sed -nE '/^[a-z-]+: [0-9]+ passed/s/^/    /p' "$logs/$name.log"
  count "$name" "$(sed -nE 's/^([0-9]+) passed, [0-9]+ failed$/\1/p' "$logs/$name.log" | tail -n 1)" \
    "$(sed -nE 's/^[0-9]+ passed, ([0-9]+) failed$/\1/p' "$logs/$name.log" | tail -n 1)"
}
one examples scripts/compile_examples.sh
suites lit --timeout 300 llvm-tests
suites suites --timeout 3600 tests

echo
echo "$passed passed, $failed failed"
((failed == 0))
