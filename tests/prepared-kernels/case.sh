#!/usr/bin/env bash
# An example's kernels before and after the passes over IR, executed in ptx-interpreter: what
# they write to memory must be the same. They are compiled without clang's inlining and
# unrolling, so that ours have something to do, and without contraction, which depends on what
# stands in one block. The interpreter compares every access to memory that other threads see.
# case.sh SM NAME
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
clang-22 -x cuda --cuda-device-only "--cuda-gpu-arch=sm_$1" --cuda-path=.venv/cuda \
  -std=c++17 -O2 -ffp-contract=off -Xclang -disable-llvm-passes -Wno-unknown-cuda-version \
  -emit-llvm -c "examples/$2.cu" -o "$CASE/bc"
opt-22 -passes="always-inline,globaldce,$simplify" "$CASE/bc" -o "$CASE/before.bc"
prepare "$CASE/before.bc" "$CASE/after.bc"
for side in before after; do nvptx_llc "$1" "$CASE/$side.bc" -o "$CASE/$side.ptx"; done
same_memory "$CASE/before.ptx" "$CASE/after.ptx"
report_change "$CASE/before.bc" "$CASE/after.bc"
