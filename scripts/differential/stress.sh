#!/usr/bin/env bash
# A random function of llvm-stress in all ways: stress.sh ARCH SEED
# Its behaviour is made defined, so that it can be executed. Even seeds get the
# processor's larger vector registers, if there are any.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/ways.sh"
here=scripts/differential arch=$1 seed=$2 base=$out/$1.stress.$2
target "$arch"
select_ways "$seed"
((seed % 2)) || back+=("${vector[@]}")
llvm-stress-22 -size $((100 + seed * 100 % 1000)) -seed "$seed" |
  sed 's/@autogen_SD[0-9]*/@function/; /^source_filename/d' |
  python3 $here/defined.py >"$base.ll"
clang-22 "${front[@]}" -O1 -c $here/stress.c -o "$base.driver.o"
opt-22 "-mtriple=$arch-linux-gnu" -passes=verify "$base.ll" -o "$base.bc"
objects=("$base.driver.o") libraries=(-lm)
if reference "$base"; then
  compare "$base" "$arch stress $seed"
else
  echo "skip $arch stress $seed"
  rm -f "$base".*
fi
