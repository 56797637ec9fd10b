#!/usr/bin/env bash
# Compiles a CPU program with LLVM's greedy allocator and with warpalloc in several ways, all
# checkers on, runs it and compares what it prints. Of a random program that LLVM's own
# allocation changes, nothing can be said: its behaviour is not defined.
# case.sh ARCH programs FILE | csmith SEED | stress SEED | corpus NAME, and ALL: seeds up to
# this are compared in all ways, others in the first and one other; if it is 0, so is what is
# not random.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
. "$(dirname "${BASH_SOURCE[0]}")/ways.sh"
here=tests/differential arch=$1 part=$2 subject=$3 all=$4 base=$CASE/program
target "$arch"

# A program of differential-programs. Its lines "clang: OPTIONS", "opt: PASSES", "llc: OPTIONS"
# say how it is compiled; "runtime: FILE" names a C file, compiled by gcc, to link with it.
make_programs() {
  local source=differential-programs/$subject options runtime
  # directive WORD: what the file says after it.
  directive() { sed -nE "s,^(//|;) $1: (.*),\2,p" "$source"; }
  read -ra options <<<"$(directive llc)" || true
  back+=("${options[@]}")
  read -ra options <<<"$(directive clang)" || true
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
    "${link[@]}" -O1 -funwind-tables -c "$(dirname "$source")/$runtime" -o "$base.runtime.o"
    objects=("$base.runtime.o")
  fi
}

# Odd seeds are compiled at -O2, even ones at -O1.
make_csmith() {
  # It leaves a file in the current folder.
  (cd "$CASE" && csmith --seed "$subject" --output program.c >/dev/null)
  clang-22 "${front[@]}" -isystem /usr/include/csmith "-O$((subject % 2 + 1))" -emit-llvm \
    -c "$base.c" -o "$base.bc"
}

# A function whose behaviour is made defined, so that it can be executed. Even seeds get the
# processor's larger vector registers, if there are any.
make_stress() {
  ((subject % 2)) || back+=("${vector[@]}")
  llvm-stress-22 -size $((100 + subject * 100 % 1000)) -seed "$subject" |
    sed 's/@autogen_SD[0-9]*/@function/; /^source_filename/d' |
    python3 $here/defined.py >"$base.ll"
  clang-22 "${front[@]}" -O1 -c $here/stress.c -o "$base.driver.o"
  opt-22 "-mtriple=$arch-linux-gnu" -passes=verify "$base.ll" -o "$base.bc"
  objects=("$base.driver.o") libraries=(-lm)
}

make_corpus() {
  local folder=target/corpus
  [[ $arch == x86_64 ]] || folder+=/$arch
  cp "$folder/$subject.bc" "$base.bc"
  libraries=(-lm) arguments=(1) limit=60
  [[ $subject != lua ]] || arguments=(benches/drivers/mix.lua 1)
}

"make_$part"
case $part in
csmith | stress)
  ((subject <= all)) || select_ways "$subject"
  reference "$base" || declined "no defined behaviour"
  ;;
*)
  # A program of ours is well defined.
  ((all)) || select_ways "$(cksum <<<"$arch $subject" | cut -d ' ' -f 1)"
  reference "$base" || fail "LLVM's allocators do not agree: $(tail -n 1 "$base.log")"
  ;;
esac
compare "$base"
