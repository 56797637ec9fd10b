#!/usr/bin/env bash
# A random kernel in CUDA C++ (ptx-interpreter/src/random_source) with local arrays,
# structures passed by pointer and lambdas, before and after the passes over IR, executed in
# ptx-interpreter: every access to global memory and every value stored there must be the
# same. It is compiled without clang's inlining and unrolling, so that ours have something to
# do. case.sh SM SEED
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
target/release/random-kernel --source --seed "$2" >"$CASE/kernel.cu"
clang-22 -x cuda --cuda-device-only "--cuda-gpu-arch=sm_$1" --cuda-feature=+ptx88 -nocudainc \
  -nocudalib -std=c++17 -O2 -ffp-contract=off -w -Xclang -disable-llvm-passes -emit-llvm \
  -c "$CASE/kernel.cu" -o "$CASE/bc"
opt-22 -passes="always-inline,globaldce,$simplify" "$CASE/bc" -o "$CASE/before.bc"
prepare "$CASE/before.bc" "$CASE/after.bc"
for side in before after; do
  nvptx_llc "$1" "$CASE/$side.bc" -o "$CASE/$side.ptx"
  # The accesses to local memory in PTX, known to be such.
  metric "local-$side" "$(grep -cE '\b(ld|st)\.local' "$CASE/$side.ptx" || true)"
done
same_memory "$CASE/before.ptx" "$CASE/after.ptx"
report_change "$CASE/before.bc" "$CASE/after.bc"
