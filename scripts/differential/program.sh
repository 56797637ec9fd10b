#!/usr/bin/env bash
# A program of differential-programs in all ways: program.sh ARCH FILE
# Its lines "clang: OPTIONS", "opt: PASSES", "llc: OPTIONS" say how it is compiled;
# "runtime: FILE" names a C file, compiled by gcc, to link with it.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/ways.sh"
arch=$1 source=$2 folder=$(dirname "$2")
name=$(basename "$source") base=$out/$1.$(basename "$source")
target "$arch"

# directive WORD: what the file says after it.
directive() { sed -nE "s,^(//|;) $1: (.*),\2,p" "$source"; }
read -ra options <<<"$(directive llc)"
back+=("${options[@]}")
read -ra options <<<"$(directive clang)"

case $source in
*.cpp)
  libraries=(-lstdc++ -lm)
  [[ $arch == x86_64 ]] || options+=(-isystem "/usr/$arch-linux-gnu/include/c++/12"
    -isystem "/usr/$arch-linux-gnu/include/c++/12/$arch-linux-gnu")
  clang-22 "${front[@]}" -O2 "${options[@]}" -emit-llvm -c "$source" -o "$base.bc"
  ;;
*.c) clang-22 "${front[@]}" -O2 "${options[@]}" -emit-llvm -c "$source" -o "$base.bc" ;;
*.ll) opt-22 "-mtriple=$arch-linux-gnu" "-passes=$(directive opt)" "$source" -o "$base.bc" ;;
esac
runtime=$(directive runtime)
if [[ $runtime ]]; then
  "${link[@]}" -O1 -funwind-tables -c "$folder/$runtime" -o "$base.runtime.o"
  objects=("$base.runtime.o")
fi

# A program of ours is well defined.
if reference "$base"; then
  compare "$base" "$arch programs $name"
else
  echo "FAIL $arch programs $name: LLVM's allocators do not agree; see $base.log"
fi
