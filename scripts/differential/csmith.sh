#!/usr/bin/env bash
# A random program of csmith's in all ways: csmith.sh ARCH SEED
# Odd seeds are compiled at -O2, even ones at -O1.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/ways.sh"
arch=$1 seed=$2 base=$out/$1.$2
target "$arch"
select_ways "$seed"
# It leaves a file in the current folder.
(cd $out && csmith --seed "$seed" --output "$arch.$seed.c" >/dev/null)
clang-22 "${front[@]}" -isystem /usr/include/csmith "-O$((seed % 2 + 1))" -emit-llvm \
  -c "$base.c" -o "$base.bc"
if reference "$base"; then
  compare "$base" "$arch csmith $seed"
else
  echo "skip $arch csmith $seed"
  rm -f "$base".*
fi
