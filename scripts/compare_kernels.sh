#!/usr/bin/env bash
# Executes the examples' kernels as stock llc and as the plugin compile them, in
# ptx-interpreter, and compares what they write to memory. The examples must have been
# compiled to bitcode (scripts/compile_examples.sh). Prints a line for each example and
# limit, and the counts.
# usage: compare_kernels.sh [EXAMPLE...]
# Environment: LIMITS (default "255 64 32 24"; 255 is no limit), SM (default 90).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
(($#)) || set -- attention branches calls fft gemm histogram layernorm nbody sha256 softmax stencil3d
sm=${SM:-90}
out=target/compare
need_plugin
cargo build --quiet --release -p ptx-interpreter
compare=target/release/ptx-compare
mkdir -p "$out"
passed=0 failed=0
for name in "$@"; do
  bitcode=target/examples/sm_$sm/$name.bc
  nvptx_llc "$sm" "$bitcode" -o "$out/$name.stock.ptx"
  for limit in ${LIMITS:-255 64 32 24}; do
    base=$out/$name.$limit flags=()
    ((limit == 255)) || flags=("-nvptx-regalloc-pressure-limit=$limit")
    # shellcheck disable=SC2046
    if nvptx_llc "$sm" $(warpalloc) "${flags[@]}" -verify-regalloc "$bitcode" \
      -o "$base.ptx" 2>"$base.log" &&
      "$compare" "$out/$name.stock.ptx" "$base.ptx" >"$base.log" 2>&1; then
      ((++passed))
    else
      ((++failed))
      grep -m3 -E 'DIFFERENT|refused|unusable:|error' "$base.log" || true
    fi
    echo "$name $limit: $(tail -n 1 "$base.log")"
  done
done
echo "$passed passed, $failed failed"
((failed == 0))
