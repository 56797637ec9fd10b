#!/usr/bin/env bash
# Compiles very large functions and shows the time of the allocator (greedy's on
# x86-64 for comparison; NVPTX has none) and llc's peak memory.
# usage: huge_functions.sh [SHAPE...]     (default: all of huge_function.py's)
# Environment: SCALE, what the full sizes (200,000 instructions, 20,000 blocks) are
# divided by (default 20; 1 takes gigabytes, and llc itself many minutes);
# SECONDS_EACH, processor time for one compilation (default 300).
# Fails if a function is not compiled in that time, if warpalloc takes more than five
# times as long as greedy and a second, or a GiB more than stock LLVM.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need_plugin
(($#)) || set -- straight straight-wide ifs crossing switch mesh loops
scale=${SCALE:-20} limit=${SECONDS_EACH:-300}
out=target/huge
passed=0 failed=0
mkdir -p $out

# make SHAPE
make() {
  local lines=$((200000 / scale)) blocks=$((20000 / scale))
  case $1 in
  straight) set -- straight $lines 50 ;;
  straight-wide) set -- straight $lines $((2000 / scale > 400 ? 2000 / scale : 400)) ;;
  crossing) set -- crossing $blocks $((5000 / scale)) ;;
  loops) set -- loops $blocks 40 ;;
  *) set -- "$1" $blocks ;;
  esac
  scripts/huge_function.py "$@"
}

# measure NAME OPTIONS...: sets seconds, of the allocator, and megabytes.
measure() {
  local log=$out/$1.log
  shift
  if ! (ulimit -t "$limit" && exec /usr/bin/time -f "peak %M" llc-22 -O2 -time-passes "$@" -filetype=null) \
    >"$log" 2>&1; then
    seconds=0 megabytes=0
    return 1
  fi
  # The column of user and system time, where there is one.
  seconds=$(sed -nE 's/.* +([0-9.]+) \( *[0-9.]+%\) +[0-9.]+ \( *[0-9.]+%\)  (Greedy|Warpalloc) Register Allocator.*/\1/p' "$log" | head -1)
  megabytes=$(awk '$1 == "peak" { print int($2 / 1024) }' "$log")
  : "${seconds:=0}"
}

printf '%-14s %-7s %12s %12s %10s %10s\n' shape target "stock s" "warpalloc s" "stock MB" "MB"
for shape; do
  file=$out/$shape.ll
  make "$shape" >"$file"
  for target in x86 nvptx; do
    options=(-mtriple=x86_64-linux-gnu -relocation-model=static)
    [[ $target == x86 ]] || options=(-mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 -mattr=+ptx88)
    stock=- stock_megabytes=0 verdict=ok
    if measure "$shape.$target.stock" "${options[@]}" "$file"; then
      stock=$seconds stock_megabytes=$megabytes
    fi
    # LLVM not ending is not our fault; then nothing can be said.
    measure "$shape.$target.warpalloc" "${options[@]}" "-load=$PLUGIN" -regalloc=warpalloc \
      -warpalloc-spills=here "$file" ||
      verdict="not compiled, see $out/$shape.$target.warpalloc.log"
    if [[ $target == x86 && $stock != - ]] &&
      awk -v ours="$seconds" -v greedy="$stock" 'BEGIN { exit !(ours > 5 * greedy + 1) }'; then
      verdict="too slow"
    fi
    if ((stock_megabytes && megabytes > stock_megabytes + 1024)); then verdict="too much memory"; fi
    printf '%-14s %-7s %12s %12s %10s %10s  %s\n' "$shape" "$target" "$stock" "$seconds" \
      "$stock_megabytes" "$megabytes" "$verdict"
    if [[ $verdict == ok ]]; then ((++passed)); else ((++failed)); fi
  done
done
echo
echo "$passed passed, $failed failed"
((failed == 0))
