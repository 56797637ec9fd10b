#!/usr/bin/env bash
# Checks ptx-interpreter against the host. An example's kernels are compiled to PTX by stock
# LLVM and interpreted, and are compiled as C++ for the host; both get the same inputs. What
# has inline PTX (mma, CUB) is compared with a reference in plain C++. No multiplication is
# contracted with an addition on either side, so buffers must be equal bit by bit, but for
# the tolerance. case.sh SM EXAMPLE KERNELS TOLERANCE [PART]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
sm=$1 name=$2 kernels=$3 tolerance=$4 part=${5:-}
host=ptx-interpreter/tests/host source=examples/${2/cub-/cub/}.cu
if [[ $kernels == =* ]]; then
  files=("$host/${kernels#=}.cpp")
else
  files=("-DEXAMPLE=\"../../../$source\"" "-DKERNELS=K(${kernels//,/) K(})"
    "$host/kernels.cpp" "$host/block.cpp")
fi
clang-22 -x cuda --cuda-device-only "--cuda-gpu-arch=sm_$sm" --cuda-path=.venv/cuda \
  -std=c++17 -O2 -ffp-contract=off -Wno-unknown-cuda-version -Wno-pass-failed \
  -emit-llvm -c "$source" -o "$CASE/bc"
nvptx_llc "$sm" -fp-contract=off "$CASE/bc" -o "$CASE/ptx"
target/release/ptx-run "$CASE/ptx" "$CASE/launches"
clang++-22 -std=c++20 -O1 -ffp-contract=off -fno-strict-aliasing -w "-I$host" \
  "${files[@]}" "$host/launch.cpp" "$host/main.cpp" -o "$CASE/host"
"$CASE/host" "$CASE/launches" "$tolerance" "$part" >"$CASE/result" || true
[[ $(tail -n 1 "$CASE/result") == end ]] || fail "the program on the host has crashed"
grep '^FAIL' "$CASE/result" && fail "another result"
# Each kernel, and how many launches were equal.
sed -n 's/^\([^ ]*\) shape .*/\1/p' "$CASE/result" | sort | uniq -c >"$CASE/kernels"
cat "$CASE/kernels"
[[ -s $CASE/kernels ]] || fail "no kernel was compared"
