#!/usr/bin/env bash
# Compiles modules in several threads of one process, as a linker does, and compares
# the output with that of one thread; with --tsan once more under ThreadSanitizer.
# usage: check_threads.sh [--tsan]
# Environment: REPEAT, how often each file is compiled (default 10); THREADS (4).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need_plugin
repeat=${REPEAT:-10} threads=${THREADS:-4}
host=$(rustc -vV | sed -n 's/^host: //p')
out=target/threads
passed=0 failed=0
mkdir -p $out

# build PROGRAM OPTIONS...: LLVM's headers are not ours to be warned about.
build() {
  local program=$1
  shift
  [[ $program -nt llvm-tests/Inputs/parallel.cpp ]] ||
    clang++-22 -std=c++17 -O1 -fno-exceptions -Wall -Wextra "$@" \
      -isystem "$(llvm-config-22 --includedir)" llvm-tests/Inputs/parallel.cpp -o "$program" \
      -L"$(llvm-config-22 --libdir)" -lLLVM-22 -pthread
}

# compare NAME PROGRAM OPTIONS-AND-FILES...: adds up what the program counts.
compare() {
  local log=$out/$1.log status=0 ok bad
  shift
  "$@" >"$log" 2>&1 || status=$?
  ok=$(sed -n 's/^\([0-9]*\) passed, .*/\1/p' "$log")
  bad=$(sed -n 's/.* \([0-9]*\) failed$/\1/p' "$log")
  : "${ok:=0}" "${bad:=0}"
  if ((bad == 0 && (status || ok == 0))); then bad=1; fi
  ((bad == 0)) || tail -n 20 "$log"
  echo "${log##*/}: $ok passed, $bad failed"
  ((passed += ok, failed += bad)) || true
}

nvptx=(-mcpu=sm_90 -mattr=+ptx88)
examples=(target/examples/sm_90/*.bc)
[[ -f ${examples[0]} ]] || mapfile -t examples < <(grep -l 'target triple' llvm-tests/NVPTX/spill*.ll)
x86=(llvm-tests/X86/{callee-saved,call-arguments,control-flow,division,int128,loops,shift,vector-pressure}.ll)
[[ ! -f target/corpus/zlib.bc ]] || x86+=(target/corpus/zlib.bc)

build $out/parallel
common=(-regalloc=warpalloc -warpalloc-spills=here "-parallel-threads=$threads")
compare nvptx $out/parallel "-load=$PLUGIN" "${common[@]}" "-repeat=$repeat" "${nvptx[@]}" "${examples[@]}"
compare nvptx-32 $out/parallel "-load=$PLUGIN" "${common[@]}" "-repeat=$repeat" "${nvptx[@]}" \
  -nvptx-regalloc-pressure-limit=32 "${examples[@]}"
compare x86 $out/parallel "-load=$PLUGIN" "${common[@]}" "-repeat=$((repeat * 2))" \
  -mtriple=x86_64-linux-gnu -filetype=obj "${x86[@]}"

if [[ ${1:-} == --tsan ]]; then
  # Neither LLVM nor Rust's standard library is instrumented.
  RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer" \
    WARPALLOC_SANITIZE=thread \
    cargo build --quiet -p warpalloc --target "$host" --target-dir target/sanitize-thread
  plugin=$PWD/target/sanitize-thread/$host/debug/libwarpalloc.so
  build $out/parallel-tsan -fsanitize=thread -shared-libsan
  export TSAN_OPTIONS=exitcode=99
  LD_LIBRARY_PATH=$(dirname "$(clang-22 -print-file-name="libclang_rt.tsan-$(uname -m).so")")
  export LD_LIBRARY_PATH
  compare tsan-nvptx $out/parallel-tsan "-load=$plugin" "${common[@]}" -repeat=1 "${nvptx[@]}" \
    -nvptx-regalloc-pressure-limit=32 "${examples[@]}"
  compare tsan-x86 $out/parallel-tsan "-load=$plugin" "${common[@]}" -repeat=1 \
    -mtriple=x86_64-linux-gnu -filetype=obj "${x86[@]}"
  status=0
  $out/parallel-tsan "-load=$plugin" -warpalloc-plant=race "${common[@]}" \
    "${nvptx[@]}" "${examples[0]}" >$out/plant.log 2>&1 || status=$?
  if ((status)) && grep -q "data race.*Plants.cpp" $out/plant.log; then
    ((++passed))
  else
    echo "FAIL: the planted race is not reported ($out/plant.log)"
    ((++failed))
  fi
fi
echo
echo "$passed passed, $failed failed"
((failed == 0))
