#!/usr/bin/env bash
# Changes the passes in all the small ways that cargo mutants knows, one at a time,
# and reports the changes that no test of theirs notices. What it prints is also in
# target/mutants/mutants.out/. A mutant takes some ten seconds; there are 2000.
# usage: mutants.sh [FOLDER|FILE ...]     (in passes/src; default: all of it)
# Environment: MUTATIONS, allocations that passes/tests/mutations.rs spoils for each
# mutant (500; with fewer the test asks for more and fails), PROPTEST_CASES (32); SHARD
# (K/N: only every Nth mutant, from the Kth on, counted from 0).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
command -v cargo-mutants >/dev/null || cargo install --quiet --locked cargo-mutants

files=()
for name; do
  [[ -e passes/src/$name ]] || { echo "no passes/src/$name" >&2; exit 2; }
  [[ ! -d passes/src/$name ]] || name+="/**"
  files+=(--file "passes/src/$name")
done
# Most of the time goes into building.
export CARGO_PROFILE_DEV_DEBUG=0
! command -v ld.lld >/dev/null || export RUSTFLAGS="${RUSTFLAGS:-} -Clink-arg=-fuse-ld=lld"
export MUTATIONS="${MUTATIONS:-500}" PROPTEST_CASES="${PROPTEST_CASES:-32}" INSTA_UPDATE=no
sample=()
[[ -z ${SHARD:-} ]] || sample=(--shard "$SHARD" --sharding round-robin)
mkdir -p target/mutants
cargo mutants --package passes --test-package passes --output target/mutants \
  --timeout 60 --gitignore true --no-shuffle "${sample[@]}" "${files[@]}"
