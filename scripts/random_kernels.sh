#!/usr/bin/env bash
# Random kernels (ptx-interpreter/src/random_kernel), compiled by stock llc and by the
# plugin under several limits, executed in ptx-interpreter and compared. Every second
# kernel is optimised by opt first, but not into operations on pairs of 16-bit numbers,
# which the interpreter does not know. A limit that the plugin says is too small for an
# instruction or a call counts as declined. What failed stays in target/random-kernels.
# Environment: FIRST (default 1), COUNT (default 40), LIMITS (default "255 64 32 24 16"),
# SM (default 90).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
first=${FIRST:-1} count=${COUNT:-40} sm=${SM:-90}
out=target/random-kernels

# try SEED: one line for each limit.
try() {
  local seed=$1 base=$out/$1 limit
  target/release/random-kernel --seed "$seed" >"$base.ll"
  ((seed % 2)) || opt-22 -O2 -vectorize-loops=false -vectorize-slp=false -S "$base.ll" -o "$base.ll"
  if ! nvptx_llc "$sm" "$base.ll" -o "$base.stock.ptx" 2>"$base.stock.log"; then
    echo "FAIL seed $seed: stock llc does not compile it"
    return
  fi
  for limit in ${LIMITS:-255 64 32 24 16}; do
    # shellcheck disable=SC2046
    if ! nvptx_llc "$sm" $(warpalloc_here) "-nvptx-regalloc-pressure-limit=$limit" \
      -verify-regalloc "$base.ll" -o "$base.$limit.ptx" 2>"$base.$limit.log"; then
      if grep -qE "$declined" "$base.$limit.log"; then
        echo "declined seed $seed limit $limit"
        rm "$base.$limit.log"
      else
        echo "FAIL seed $seed limit $limit: $(grep -m1 error "$base.$limit.log" || tail -1 "$base.$limit.log")"
      fi
    elif target/release/ptx-compare "$base.stock.ptx" "$base.$limit.ptx" >"$base.$limit.log" 2>&1 &&
      grep -q ' 0 different, 0 unusable$' "$base.$limit.log"; then
      echo ok
      rm "$base.$limit".*
    else
      echo "FAIL seed $seed limit $limit: $(grep -m1 -E 'DIFFERENT|unusable|refused' "$base.$limit.log")"
    fi
  done >"$base.results"
  cat "$base.results"
  grep -q FAIL "$base.results" || rm "$base".*
}
# The diagnostic of a limit that one instruction's operands do not fit.
declined='budget of [0-9]+ registers is too small|ran out of registers'
if [[ ${1:-} == try ]]; then
  try "$2"
  exit
fi

need_plugin
cargo build --quiet --release -p ptx-interpreter
rm -rf "$out"
mkdir -p "$out"
seq "$first" $((first + count - 1)) |
  xargs -P "$(nproc)" -I{} scripts/random_kernels.sh try {} >"$out/results"
grep FAIL "$out/results" || true
failed=$(grep -c FAIL "$out/results" || true)
passed=$(grep -cx ok "$out/results" || true)
echo "$(grep -c declined "$out/results" || true) declined: the limit is too small"
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
