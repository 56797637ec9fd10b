#!/usr/bin/env bash
# Makes what benches/gpu/run.sh needs on a machine with a GPU, in target/gpu: the
# launches of ptx-run, stock's and our machine code, and the program that runs both.
# usage: prepare.sh [EXAMPLE...]      (default: all; compiled by scripts/compile_examples.sh)
# Environment: SM (default 90), LIMITS (default "255 64 32"; 255 is no limit).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/common.sh"
sm=${SM:-90} out=target/gpu host=ptx-interpreter/tests/host
need_plugin
cargo build --quiet --release -p ptx-interpreter
mkdir -p $out
(($#)) || for bitcode in "target/examples/sm_$sm"/*.bc; do set -- "$@" "$(basename "$bitcode" .bc)"; done

clang++-22 -std=c++20 -O1 -w -static-libstdc++ -static-libgcc -I.venv/cuda/include "-I$host" \
  benches/gpu/compare.cpp benches/gpu/driver.cpp $host/launch.cpp -ldl -o $out/compare
for name; do
  bitcode=target/examples/sm_$sm/$name.bc
  nvptx_llc "$sm" "$bitcode" -o "$out/$name.stock.ptx"
  nvptx_ptxas "$sm" "$out/$name.stock.ptx" -o "$out/$name.stock.cubin"
  target/release/ptx-run "$out/$name.stock.ptx" "$out/$name.launches"
  for limit in ${LIMITS:-255 64 32}; do
    flags=()
    ((limit == 255)) || flags=("-nvptx-regalloc-pressure-limit=$limit")
    # shellcheck disable=SC2046
    nvptx_llc "$sm" $(warpalloc) "${flags[@]}" -verify-regalloc "$bitcode" -o "$out/$name.$limit.ptx"
    nvptx_ptxas "$sm" "$out/$name.$limit.ptx" -o "$out/$name.$limit.cubin"
  done
done
echo "$# examples are ready in $out"
