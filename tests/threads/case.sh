#!/usr/bin/env bash
# Compiles modules in several threads of one process, as a linker does, and compares the
# output with that of one thread; "tsan-...": once more under ThreadSanitizer, which must
# also report a race that is planted. case.sh NAME THREADS REPEAT
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
threads=$2 repeat=$3 parallel=$SHARED/parallel
host=$(rustc -vV | sed -n 's/^host: //p')

# build PROGRAM OPTIONS...: LLVM's headers are not ours to be warned about.
build() {
  local program=$1
  shift
  clang++-22 -std=c++17 -O1 -fno-exceptions -Wall -Wextra "$@" \
    -isystem "$(llvm-config-22 --includedir)" llvm-tests/Inputs/parallel.cpp -o "$program" \
    -L"$(llvm-config-22 --libdir)" -lLLVM-22 -pthread
}

# Neither LLVM nor Rust's standard library is instrumented.
build_tsan() {
  RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer" \
    WARPALLOC_SANITIZE=thread \
    cargo build --quiet -p warpalloc --target "$host" --target-dir target/sanitize-thread &&
    build "$SHARED/parallel-tsan" -fsanitize=thread -shared-libsan
}

if [[ $1 == tsan-* ]]; then
  once tsan build_tsan
  parallel=$SHARED/parallel-tsan repeat=1
  PLUGIN=$PWD/target/sanitize-thread/$host/debug/libwarpalloc.so
  export TSAN_OPTIONS=exitcode=99
  LD_LIBRARY_PATH=$(dirname "$(clang-22 -print-file-name="libclang_rt.tsan-$(uname -m).so")")
  export LD_LIBRARY_PATH
else
  once parallel build "$parallel"
fi

nvptx=(-mcpu=sm_90 -mattr=+ptx88)
examples=(target/examples/sm_90/*.bc)
[[ -f ${examples[0]} ]] || fail "no examples: run make examples"
x86=(llvm-tests/X86/{callee-saved,call-arguments,control-flow,division,int128,loops,shift,vector-pressure}.ll)
[[ ! -f target/corpus/zlib.bc ]] || x86+=(target/corpus/zlib.bc)
run() {
  "$parallel" "-load=$PLUGIN" -regalloc=warpalloc -warpalloc-spills=here \
    "-parallel-threads=$threads" "$@"
}

# compare REPEAT OPTIONS-AND-FILES...: the program says how many it has compared.
compare() {
  local log=$CASE/log
  run "-repeat=$1" "${@:2}" >"$log" 2>&1 || fail "$(tail -n 5 "$log")"
  grep -E '^[1-9][0-9]* passed, 0 failed$' "$log" || fail "nothing was compared: $(tail -n 1 "$log")"
}

case $1 in
nvptx) compare "$repeat" "${nvptx[@]}" "${examples[@]}" ;;
nvptx-32 | tsan-nvptx)
  compare "$repeat" "${nvptx[@]}" -nvptx-regalloc-pressure-limit=32 "${examples[@]}"
  ;;
x86) compare $((repeat * 2)) -mtriple=x86_64-linux-gnu -filetype=obj "${x86[@]}" ;;
tsan-x86) compare 1 -mtriple=x86_64-linux-gnu -filetype=obj "${x86[@]}" ;;
tsan-race)
  ! run -warpalloc-plant=race "${nvptx[@]}" "${examples[0]}" >"$CASE/log" 2>&1 ||
    fail "the planted race does no harm"
  grep -q "data race.*Plants.cpp" "$CASE/log" || fail "the planted race is not reported"
  ;;
*) fail "unknown case $1" ;;
esac
