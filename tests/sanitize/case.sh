#!/usr/bin/env bash
# llc with the plugin that scripts/build_sanitized.sh has built.
# case.sh planted FAULT REPORT: the fault must be reported so. case.sh input FILE: no report.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
sanitized_llc() {
  LD_PRELOAD=$(<target/sanitize/preload) llc-22 "-load=$(<target/sanitize/plugin)" \
    -regalloc=warpalloc -warpalloc-spills=here "$@"
}
export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:exitcode=99
export UBSAN_OPTIONS=print_stacktrace=1
case $1 in
planted)
  ! sanitized_llc "-warpalloc-plant=$2" llvm-tests/NVPTX/several-functions.ll -o /dev/null \
    >"$CASE/log" 2>&1 || fail "the planted fault does no harm"
  grep -m1 "$3" "$CASE/log" || fail "the planted fault is not reported"
  ;;
input)
  options=()
  [[ $2 != *sm_90* ]] || options=(-mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=40)
  # A report of UndefinedBehaviorSanitizer does not end the program.
  sanitized_llc -O2 "${options[@]}" -verify-regalloc "$2" -o /dev/null >"$CASE/log" 2>&1 ||
    fail "$(tail -n 20 "$CASE/log")"
  ! grep -m1 -E 'runtime error|Sanitizer' "$CASE/log" || fail "a report"
  ;;
esac
