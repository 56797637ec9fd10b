#!/usr/bin/env bash
# Compiles an input twice, the second time with one thing about the machine changed that must
# not matter, and compares output and statistics byte by byte: addresses, locale, size of the
# environment, current folder, log filter, number of processors; or in several threads.
# case.sh compare WAY FILE LLC-OPTION... | log-is-on | threads NUMBER
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

# How the second compiler is run: what is put before the command.
way() {
  case $1 in
  again) before=(env) ;;
  fixed-addresses) before=(setarch -R) ;;
  empty-environment) before=(env -i "PATH=$PATH") ;;
  big-environment) before=(env "PADDING=$(printf 'x%.0s' {1..100000})") ;;
  locale-C) before=(env LC_ALL=C) ;;
  locale-Turkish) before=(env LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8) ;;
  locale-German) before=(env LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8) ;;
  time-zone) before=(env TZ=Pacific/Kiritimati) ;;
  log) before=(env WARPALLOC_LOG=trace RUST_LOG=trace RUST_BACKTRACE=1) ;;
  folder) before=(env -C "$CASE") ;;
  one-processor) before=(taskset -c 0) ;;
  # shellcheck disable=SC2016
  little-stack) before=(bash -c 'ulimit -s 4096; exec "$@"' -) ;;
  *) fail "unknown way $1" ;;
  esac
}

# compile SIDE FILE OPTIONS...: lines of the log are left out.
compile() {
  local base=$CASE/$1 file=$PWD/$2
  shift 2
  "${before[@]}" llc-22 -O2 "-load=$PLUGIN" -regalloc=warpalloc -warpalloc-spills=here \
    -print-regalloc-stats "$@" "$file" -o "$base.out" 2>"$base.err" ||
    fail "it does not compile: $(tail -n 3 "$base.err")"
  grep '^warpalloc: function=' "$base.err" >"$base.stats"
}

# in_threads NUMBER: the statistics of all functions, in whatever order.
in_threads() {
  "$SHARED/parallel" "-load=$PLUGIN" -regalloc=warpalloc -warpalloc-spills=here \
    -print-regalloc-stats -mcpu=sm_90 -mattr=+ptx88 "-parallel-threads=$1" -repeat=2 \
    target/examples/sm_90/*.bc >"$CASE/$1.log" 2>"$CASE/$1.err"
  sort "$CASE/$1.err" >"$CASE/$1.stats"
  [[ -s $CASE/$1.stats ]]
}
build_parallel() {
  clang++-22 -std=c++17 -O1 -fno-exceptions -isystem "$(llvm-config-22 --includedir)" \
    llvm-tests/Inputs/parallel.cpp -o "$SHARED/parallel" -L"$(llvm-config-22 --libdir)" \
    -lLLVM-22 -pthread
}

case $1 in
compare)
  before=(env -u WARPALLOC_LOG)
  compile first "${@:3}"
  way "$2"
  compile second "${@:3}"
  cmp "$CASE/first.out" "$CASE/second.out"
  cmp "$CASE/first.stats" "$CASE/second.stats"
  ;;
# Otherwise the way named log shows nothing.
log-is-on)
  WARPALLOC_LOG=trace llc-22 "-load=$PLUGIN" -regalloc=warpalloc -mtriple=x86_64-linux-gnu \
    llvm-tests/X86/loops.ll -o /dev/null 2>"$CASE/log"
  grep -m1 coloured "$CASE/log" || fail "WARPALLOC_LOG=trace logs nothing"
  ;;
threads)
  once parallel build_parallel
  in_threads 1
  in_threads "$2"
  cmp "$CASE/1.stats" "$CASE/$2.stats"
  ;;
*) fail "unknown case $1" ;;
esac
