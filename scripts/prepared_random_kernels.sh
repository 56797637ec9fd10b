#!/usr/bin/env bash
# Random kernels in CUDA C++ (ptx-interpreter/src/random_source) with local arrays,
# structures passed by pointer and lambdas, before and after the passes over IR, executed in
# ptx-interpreter: every access to global memory and every value stored there must be the
# same. They are compiled without clang's inlining and unrolling, so that ours have
# something to do. What failed stays in target/prepared-random-kernels.
# Environment: FIRST (default 1), COUNT (default 20), SM (default 90), PLUGIN.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
first=${FIRST:-1} count=${COUNT:-20} sm=${SM:-90}
out=target/prepared-random-kernels

# The accesses to local memory in PTX, known to be such.
local_accesses() { grep -cE '\b(ld|st)\.local' "$1" || true; }

# try SEED: a line "changed BEFORE AFTER", "unchanged" or "FAIL ...".
try() {
  local seed=$1 base=$out/$1 side
  target/release/random-kernel --source --seed "$seed" >"$base.cu"
  clang-22 -x cuda --cuda-device-only "--cuda-gpu-arch=sm_$sm" --cuda-feature=+ptx88 -nocudainc \
    -nocudalib -std=c++17 -O2 -ffp-contract=off -w -Xclang -disable-llvm-passes -emit-llvm \
    -c "$base.cu" -o "$base.bc" 2>"$base.log" || {
    echo "FAIL seed $seed: clang does not compile it"
    return
  }
  opt-22 -passes="always-inline,globaldce,$simplify" "$base.bc" -o "$base.before.bc"
  if ! prepare "$base.before.bc" "$base.after.bc" 2>"$base.log"; then
    echo "FAIL seed $seed: $(tail -n 1 "$base.log")"
    return
  fi
  for side in before after; do
    if ! nvptx_llc "$sm" "$base.$side.bc" -o "$base.$side.ptx" 2>"$base.log"; then
      echo "FAIL seed $seed: llc does not compile it $side: $(tail -n 1 "$base.log")"
      return
    fi
  done
  if ! target/release/ptx-compare "$base.before.ptx" "$base.after.ptx" >"$base.log" 2>&1 ||
    ! grep -q ' 0 different, 0 unusable$' "$base.log"; then
    echo "FAIL seed $seed: $(grep -m1 -E 'DIFFERENT|refused|unusable:' "$base.log" || tail -n 1 "$base.log")"
    return
  fi
  if cmp -s "$base.before.bc" "$base.after.bc"; then
    echo unchanged
  else
    echo "changed $(local_accesses "$base.before.ptx") $(local_accesses "$base.after.ptx")"
  fi
  rm "$base".*
}
if [[ ${1:-} == try ]]; then
  try "$2"
  exit
fi

need_plugin
cargo build --quiet --release -p ptx-interpreter
rm -rf "$out"
mkdir -p "$out"
seq "$first" $((first + count - 1)) |
  xargs -P "$(nproc)" -I{} scripts/prepared_random_kernels.sh try {} >"$out/results"
grep FAIL "$out/results" || true
failed=$(grep -c FAIL "$out/results" || true)
changed=$(grep -c '^changed' "$out/results" || true)
unchanged=$(grep -cx unchanged "$out/results" || true)
awk '/^changed/ { n++; before += $2; after += $3 }
  END { printf "%d kernels changed, accesses to local memory in PTX %d to %d\n", n, before, after }' \
  "$out/results"
echo "$((changed + unchanged)) passed, $failed failed"
((failed == 0 && changed > 0))
