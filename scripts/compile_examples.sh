#!/usr/bin/env bash
# Compiles examples/ to LLVM bitcode: target/examples/sm_XX/NAME.bc.
# usage: compile_examples.sh [SM...]        (default: 70 80 90)
# Environment: ONLY, a pattern of names (for example ONLY=gemm or ONLY='cub-*').
# Only what is out of date is compiled, two jobs at a time. From scratch this takes
# under a minute on two cores, most of it in the CUB files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

compile() {
  local sm=$1 src=$2 name=$3 out
  out=target/examples/sm_$sm/$name.bc
  if [[ $out -nt $src && $out -nt .venv/.stamp ]]; then
    return 0
  fi
  mkdir -p "${out%/*}"
  if ! clang-22 -x cuda --cuda-device-only "--cuda-gpu-arch=sm_$sm" \
    --cuda-path=.venv/cuda -std=c++17 -O2 -Wno-unknown-cuda-version -Wno-pass-failed \
    -emit-llvm -c "$src" -o "$out.tmp" 2>"$out.log"; then
    echo "compile_examples: $src for sm_$sm failed, see $out.log" >&2
    return 1
  fi
  mv "$out.tmp" "$out"
  rm -f "$out.log"
}
export -f compile

(($#)) || set -- 70 80 90
for src in examples/cub/*.cu examples/*.cu; do
  name=${src#examples/}
  name=${name//\//-}
  name=${name%.cu}
  # shellcheck disable=SC2053
  [[ $name == ${ONLY:-*} ]] || continue
  for sm; do
    printf '%s %s %s\n' "$sm" "$src" "$name"
  done
done | xargs -P 2 -L 1 bash -c 'compile "$@"' _
