#!/usr/bin/env bash
# A real program of benches/cpu_corpus.sh in all ways: corpus.sh ARCH zlib|bzip2|lz4|lua|sqlite
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/ways.sh"
arch=$1 program=$2 base=$out/$1.$2 folder=target/corpus
target "$arch"
[[ $arch == x86_64 ]] || folder+=/$arch
cp "$folder/$program.bc" "$base.bc"
libraries=(-lm) arguments=(1) limit=60
[[ $program != lua ]] || arguments=(benches/drivers/mix.lua 1)
if reference "$base"; then
  compare "$base" "$arch corpus $program"
else
  echo "FAIL $arch corpus $program: LLVM's allocators do not agree; see $base.log"
fi
