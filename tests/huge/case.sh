#!/usr/bin/env bash
# Compiles a very large function and shows the time of the allocator (greedy's on x86-64 for
# comparison; NVPTX has none) and llc's peak memory. Fails if the function is not compiled in
# that time, if warpalloc takes more than five times as long as greedy and a second, or a GiB
# more than stock LLVM. case.sh SHAPE x86|nvptx SCALE SECONDS
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
shape=$1 target=$2 scale=$3 limit=$4

lines=$((200000 / scale)) blocks=$((20000 / scale))
case $shape in
straight) function=(straight $lines 50) ;;
straight-wide) function=(straight $lines $((2000 / scale > 400 ? 2000 / scale : 400))) ;;
crossing) function=(crossing $blocks $((5000 / scale))) ;;
loops) function=(loops $blocks 40) ;;
updates) function=(updates $lines 30) ;;
*) function=("$shape" $blocks) ;;
esac
file=$CASE/huge.ll
tests/huge/huge_function.py "${function[@]}" >"$file"

# measure NAME OPTIONS...: sets seconds, of the allocator, and megabytes.
measure() {
  local log=$CASE/$1.log
  shift
  seconds=0 megabytes=0
  (ulimit -t "$limit" && exec /usr/bin/time -f "peak %M" llc-22 -O2 -time-passes "$@" \
    -filetype=null) >"$log" 2>&1 || return 1
  # The column of user and system time, where there is one.
  seconds=$(sed -nE 's/.* +([0-9.]+) \( *[0-9.]+%\) +[0-9.]+ \( *[0-9.]+%\)  (Greedy|Warpalloc) Register Allocator.*/\1/p' "$log" | head -1)
  megabytes=$(awk '$1 == "peak" { print int($2 / 1024) }' "$log")
  : "${seconds:=0}"
}

options=(-mtriple=x86_64-linux-gnu -relocation-model=static)
[[ $target == x86 ]] || options=(-mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 -mattr=+ptx88)
stock=- stock_megabytes=0
# LLVM not ending is not our fault; then nothing can be said of it.
if measure stock "${options[@]}" "$file"; then stock=$seconds stock_megabytes=$megabytes; fi
measure warpalloc "${options[@]}" "-load=$PLUGIN" -regalloc=warpalloc -warpalloc-spills=here \
  "$file" || fail "not compiled: $(tail -n 1 "$CASE/warpalloc.log")"
echo "stock $stock s, $stock_megabytes MB; warpalloc $seconds s, $megabytes MB"
if [[ $target == x86 && $stock != - ]] &&
  awk -v ours="$seconds" -v greedy="$stock" 'BEGIN { exit !(ours > 5 * greedy + 1) }'; then
  fail "too slow"
fi
((stock_megabytes == 0 || megabytes <= stock_megabytes + 1024)) || fail "too much memory"
