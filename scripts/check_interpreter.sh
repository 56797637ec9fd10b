#!/usr/bin/env bash
# Checks ptx-interpreter against the host. The examples' kernels are compiled to PTX by
# stock LLVM and interpreted, and are compiled as C++ for the host; both get the same
# inputs. What has inline PTX (mma, CUB) is compared with a reference in plain C++.
# No multiplication is contracted with an addition on either side, so buffers must be
# equal bit by bit, but for the tolerances below. Prints a line for each kernel.
# usage: check_interpreter.sh [EXAMPLE...]      (default: all of examples/)
# Environment: SM (default 90).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
sm=${SM:-90}
out=target/interpreter
host=ptx-interpreter/tests/host

# EXAMPLE, KERNELS or a reference's name, and a tolerance relative to max(1, |x|) with
# a part of the names of the kernels that it is for:
# - calls: expf, powf and sincosf are libdevice's on one side and libm's on the other,
#   a few units in the last place apart, and are summed up;
# - cub-reduce, sums: the reference adds up floats in another order, in double
#   precision.
# All approximated instructions (ex2, lg2, sin, cos, rsqrt) are defined by the
# interpreter as the rounded result of double precision, and so they are in cuda.h.
table="attention attention 0
branches mandelbrot,classify 0
calls integrate 1e-5
fft fft512 0
gemm gemm 0
histogram histogram8,histogram_float,filter 0
layernorm layernorm,layernorm_backward 0
mma =mma 0
nbody nbody 0
sha256 sha256 0
softmax softmax 0
stencil3d wave 0
cub-radix_sort =cub 0
cub-radix_sort_device =cub 0
cub-reduce =cub 1e-5 plus
cub-scan =cub 0"

cargo build --quiet --release -p ptx-interpreter
mkdir -p "$out"
cxx=(clang++-22 -std=c++20 -O1 -ffp-contract=off -fno-strict-aliasing -w "-I$host")

# build EXAMPLE KERNELS: $out/EXAMPLE.launches and $out/EXAMPLE.host.
build() {
  local base=$out/$1 source=examples/${1/cub-/cub/}.cu files=()
  if [[ $2 == =* ]]; then
    files=("$host/${2#=}.cpp")
  else
    files=("-DEXAMPLE=\"../../../$source\"" "-DKERNELS=K(${2//,/) K(})"
      "$host/kernels.cpp" "$host/block.cpp")
  fi
  clang-22 -x cuda --cuda-device-only "--cuda-gpu-arch=sm_$sm" --cuda-path=.venv/cuda \
    -std=c++17 -O2 -ffp-contract=off -Wno-unknown-cuda-version -Wno-pass-failed \
    -emit-llvm -c "$source" -o "$base.bc" &&
    nvptx_llc "$sm" -fp-contract=off "$base.bc" -o "$base.ptx" &&
    target/release/ptx-run "$base.ptx" "$base.launches" &&
    "${cxx[@]}" "${files[@]}" "$host/launch.cpp" "$host/main.cpp" -o "$base.host"
}

passed=0 failed=0
while read -r name kernels tolerance part; do
  (($# == 0)) || [[ " $* " == *" $name "* ]] || continue
  base=$out/$name
  rm -f "$base.result"
  if build "$name" "$kernels" >"$base.log" 2>&1; then
    "$base.host" "$base.launches" "$tolerance" "$part" >"$base.result" 2>>"$base.log" || true
  fi
  # Without its last line the program has crashed.
  if [[ ! -s $base.result || $(tail -n 1 "$base.result") != end ]]; then
    ((++failed))
    echo "$name: FAIL $(tail -n 1 "$base.log")"
    continue
  fi
  while read -r kernel; do
    how="bit by bit"
    [[ $tolerance == 0 || $kernel != *"$part"* ]] || how="within $tolerance"
    launches=$(grep -c "^$kernel shape" "$base.result")
    if first=$(grep -m1 "^FAIL $kernel shape" "$base.result"); then
      ((++failed))
      echo "$name $kernel: $first"
    else
      ((++passed))
      echo "$name $kernel: $launches launches equal, $how"
    fi
  done < <(sed -n 's/^\([^ ]*\) shape .*/\1/p' "$base.result" | awk '!seen[$0]++')
done <<<"$table"
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
