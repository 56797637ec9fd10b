#!/usr/bin/env bash
# Fuzzes the allocator, the text format and the tables of the boundary with
# libFuzzer, the last, where unsafe code is, under AddressSanitizer. What fails is
# kept in fuzz/artifacts/TARGET/; reduced (cargo fuzz tmin) and moved to
# fuzz/regressions/TARGET/, it is a test.
# usage: fuzz.sh [allocate|tables|text ...]      (default: all three)
# Environment: SECONDS_EACH, how long each target runs (default 60).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
(($#)) || set -- allocate tables text
command -v cargo-fuzz >/dev/null || cargo install --quiet --locked cargo-fuzz

# The fuzzer's compiler flags are open to nightly compilers only, or with this.
export RUSTC_BOOTSTRAP=1
for target; do
  sanitizer=none
  [[ $target != tables ]] || sanitizer=address
  export CARGO_TARGET_DIR=target/fuzz-$sanitizer
  corpus=target/fuzz-corpus/$target seeds=("fuzz/regressions/$target")
  [[ $target != text ]] || seeds+=(passes/tests/data)
  mkdir -p "$corpus" "${seeds[@]}"
  cargo fuzz run --sanitizer $sanitizer "$target" "$corpus" "${seeds[@]}" -- \
    -max_total_time="${SECONDS_EACH:-60}" -max_len=2048 -timeout=20 -rss_limit_mb=4096 \
    -print_final_stats=1
done
