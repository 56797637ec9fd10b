#!/usr/bin/env bash
# Builds the plugin with AddressSanitizer and UndefinedBehaviorSanitizer, C++ and
# Rust, runs lit tests and examples with it, and takes every report for a failure.
# Faults planted on purpose (src/shim/plants) must be reported.
# usage: sanitize.sh [LIT-FOLDER...]     (default: X86 AArch64 RISCV NVPTX)
# Stable Rust is told to accept the option that instruments it; the standard
# library and LLVM stay as they are. Needs clang-22 and libclang-rt-22-dev.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
(($#)) || set -- X86 AArch64 RISCV NVPTX
host=$(rustc -vV | sed -n 's/^host: //p')
out=$PWD/target/sanitize
plugin=$out/$host/debug/libwarpalloc.so
runtime=$(clang-22 -print-file-name="libclang_rt.asan-$(uname -m).so")
[[ -f $runtime ]] || {
  echo "AddressSanitizer's runtime is missing; on Debian install libclang-rt-22-dev" >&2
  exit 1
}
passed=0 failed=0
mkdir -p "$out/reports"
rm -f "$out"/reports/*

RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address -Cforce-frame-pointers=yes" \
  WARPALLOC_SANITIZE=address,undefined \
  cargo build --quiet -p warpalloc --target "$host" --target-dir "$out"

# LLVM unloads the plugin before leaks are searched for: what its statics hold
# would seem lost, and calls in it would have no names. And the linker that clang
# starts is none of our business.
clang-22 -shared -fPIC -x c - -o "$out/keep_loaded.so" <<'EOF'
#include <stdlib.h>
int dlclose(void *handle) { return handle == 0; }
__attribute__((constructor)) static void start(void) { unsetenv("LD_PRELOAD"); }
EOF
preload=$runtime:$out/keep_loaded.so
export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:exitcode=99
export UBSAN_OPTIONS=print_stacktrace=1
sanitized_llc() {
  LD_PRELOAD=$preload llc-22 -load="$plugin" -regalloc=warpalloc -warpalloc-spills=here "$@"
}

# plant FAULT REPORT: the fault must be reported so.
plant() {
  local log=$out/plant.$1.log status=0
  sanitized_llc "-warpalloc-plant=$1" llvm-tests/NVPTX/several-functions.ll -o /dev/null \
    >"$log" 2>&1 || status=$?
  if ((status)) && grep -q "$2" "$log"; then
    ((++passed))
  else
    echo "FAIL: the planted fault $1 is not reported ($log)"
    ((++failed))
  fi
}
plant overread "heap-buffer-overflow.*Plants.cpp"
plant overread-in-rust "heap-buffer-overflow"
plant use-after-free "heap-use-after-free.*src/import"
plant leak "in leak.*Plants.cpp"
plant shift "runtime error: shift exponent"

# Reports go to files, so that no test can take one for the error it expects.
export ASAN_OPTIONS=$ASAN_OPTIONS:log_path=$out/reports/report
export UBSAN_OPTIONS=$UBSAN_OPTIONS:log_path=$out/reports/report

echo "lit $*"
WARPALLOC_PLUGIN=$plugin WARPALLOC_PRELOAD=$preload \
  "$LLVM/lit" -j 2 "${@/#/llvm-tests/}" >"$out/lit.log" 2>&1 || true
sum() { { grep -oE "^ +($1) *: [0-9]+" "$out/lit.log" || true; } | awk '{ n += $NF } END { print n + 0 }'; }
ok=$(sum 'Passed|Expectedly Failed')
bad=$(sum 'Failed|Timed Out|Unresolved|Unexpectedly Passed')
((ok)) || bad=1
((bad == 0)) || grep -E '^(FAIL|UNRESOLVED|TIMEOUT|XPASS)' "$out/lit.log" || tail -n 5 "$out/lit.log"
echo "    $ok passed, $bad failed"
((passed += ok, failed += bad)) || true

for input in target/examples/sm_90/{calls,gemm,sha256,softmax}.bc target/corpus/zlib.bc; do
  [[ -f $input ]] || continue
  options=()
  [[ $input != *sm_90* ]] || options=(-mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=40)
  if sanitized_llc -O2 "${options[@]}" -verify-regalloc "$input" -o /dev/null; then
    ((++passed))
  else
    echo "FAIL: $input"
    ((++failed))
  fi
done

for report in "$out"/reports/*; do
  [[ -f $report ]] || continue
  echo "FAIL: $report"
  head -n 12 "$report"
  ((++failed))
done
echo
echo "$passed passed, $failed failed"
((failed == 0))
