#!/usr/bin/env bash
# Compiles real programs with LLVM's greedy allocator and with warpalloc, checks
# that they print the same, and compares the code and the allocator's time.
# usage: cpu_compare.sh [PROGRAM...]          (default: zlib bzip2 lz4 lua sqlite)
# Environment: RUNS, timed compilations of each (default 5, the least time counts).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"
(($#)) || set -- zlib bzip2 lz4 lua sqlite
runs=${RUNS:-5}
out=target/cpu-compare
rows=(greedy warpalloc warpalloc-nojoin)
need_plugin
benches/cpu_corpus.sh
mkdir -p $out

flags() {
  case $1 in
  greedy) echo "-regalloc=greedy" ;;
  warpalloc) warpalloc ;;
  warpalloc-nojoin) echo "$(warpalloc) -join-liveintervals=false" ;;
  esac
}
set_arguments() {
  case $1 in
  lua) arguments=(benches/drivers/mix.lua 1) ;;
  *) arguments=(1) ;;
  esac
}

# allocate PROGRAM ROW LLC-FLAGS...
allocate() {
  local program=$1 row=$2
  shift 2
  # shellcheck disable=SC2046
  llc-22 -O2 -relocation-model=static $(flags "$row") "$@" "target/corpus/$program.bc"
}

# The time in allocators, in seconds, from the report of -time-passes. (x86 also
# runs greedy for tile registers, whichever allocator does the rest.)
pass_time() {
  awk '/ (Greedy|Warpalloc) Register Allocator( #[0-9]+)?$/ {
      gsub(/\([^)]*\)/, "")
      for (n = 0; $(n + 1) ~ /^[0-9.]+$/; n++);
      # the columns: user, system, user+system, wall
      time += n == 4 ? $3 : $n
    }
    END { print time + 0 }' "$1"
}

failed=0
printf '%-10s %-18s %8s %8s %8s %8s %9s %9s  %s\n' program allocator copies spills reloads folded \
  text "time ms" output
for program; do
  declare -A least=()
  set_arguments "$program"
  for ((run = 0; run < runs; run++)); do
    for row in "${rows[@]}"; do
      allocate "$program" "$row" -filetype=null -time-passes -o /dev/null 2>$out/time || continue
      t=$(pass_time $out/time)
      least[$row]=$(printf '%s\n' "${least[$row]:-$t}" "$t" | sort -g | head -1)
    done
  done
  for row in "${rows[@]}"; do
    base=$out/$program.$row
    verify=(-verify-machineinstrs)
    [[ $row == greedy ]] || verify+=(-verify-regalloc)
    verdict=same
    if ! allocate "$program" "$row" "${verify[@]}" -o "$base.s" 2>"$base.log"; then
      verdict="FAILED to compile, see $base.log"
    elif ! clang-22 -c "$base.s" -o "$base.o" || ! clang-22 -no-pie "$base.o" -o "$base" -lm; then
      verdict="FAILED to link"
    elif ! timeout 120 "$base" "${arguments[@]}" >"$base.out" 2>&1; then
      verdict="FAILED to run, see $base.out"
    elif ! cmp -s "$base.out" "$out/$program.greedy.out"; then
      verdict="DIFFERENT output, see $base.out"
    fi
    [[ $verdict == same ]] || failed=1
    copies=- spills=- reloads=- folded=- text=-
    if [[ -s $base.o && $verdict != "FAILED to compile"* ]]; then
      copies=$(grep -cE '^\s+mov([bwlq]|aps|apd|dqa|dqu|ups|upd)\s+%[a-z0-9]+, %[a-z0-9]+(\s|$)' "$base.s" || true)
      spills=$(grep -cE 'byte Spill' "$base.s" || true)
      reloads=$(grep -cE 'byte Reload' "$base.s" || true)
      folded=$(grep -cE 'byte Folded (Spill|Reload)' "$base.s" || true)
      text=$(llvm-size-22 -A "$base.o" | awk '/^\.text/ { n += $2 } END { print n }')
    fi
    ms=$(awk -v t="${least[$row]:-nan}" 'BEGIN { printf "%.1f", t * 1000 }')
    printf '%-10s %-18s %8s %8s %8s %8s %9s %9s  %s\n' "$program" "$row" "$copies" "$spills" \
      "$reloads" "$folded" "$text" "$ms" "$verdict"
  done
done
exit $failed
