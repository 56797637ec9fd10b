#!/usr/bin/env bash
# Does executing kernels find wrong allocations? The plugin plants a fault into a correct
# allocation (an interference edge dropped, a spill moved), and the kernel is executed beside
# stock llc's. A fault that the symbolic checker rejects has to show: as different memory, as
# another value stored on the way, as an access out of bounds and the like, or as a read of
# what was never written. What the checker accepts, or what has only moved past code that has
# nothing to do with it, changes nothing and is harmless. A conflict between registers of two
# types lies apart: in PTX they are different registers, so it cannot show.
# The case is one fault in each function of a kernel, and passes if all that count show. One
# that stays hidden is no failure of its own: run.py judges the share of all cases.
# case.sh SM KERNEL LIMIT SEED
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
sm=$1 name=$2 limit=$3 seed=$4
input=target/examples/sm_$sm/$name.bc
if [[ $name == random-* ]]; then
  number=${name#random-} input=$CASE/kernel.bc
  target/release/random-kernel --seed "$number" >"$CASE/kernel.ll"
  opt-22 "-O$((number % 2 * 2))" -vectorize-loops=false -vectorize-slp=false "$CASE/kernel.ll" -o "$input"
fi
nvptx_llc "$sm" "$input" -o "$CASE/stock.ptx"
# shellcheck disable=SC2046
nvptx_llc "$sm" $(warpalloc_here) -print-regalloc-stats "$input" -o /dev/null 2>"$CASE/log"
mapfile -t functions < <(sed -n 's/^warpalloc: function=\([^ ]*\) .*/\1/p' "$CASE/log")
((${#functions[@]})) || fail "no function"

# A difference, or only the planted one reads what was never written.
shows() {
  ! target/release/ptx-compare "$CASE/stock.ptx" "$CASE/ptx" "$1" >"$CASE/out" 2>&1 ||
    grep -q 'unwritten read on lines \[\[\], \[[0-9]' "$CASE/out"
}
shown=0 hidden=0
for function in "${functions[@]}"; do
  # shellcheck disable=SC2046
  if ! nvptx_llc "$sm" $(warpalloc_here) "-nvptx-regalloc-pressure-limit=$limit" \
    "-warpalloc-plant-fault=$seed" "-warpalloc-plant-function=$function" \
    "$input" -o "$CASE/ptx" 2>"$CASE/log"; then
    echo "declined $function: $(grep -m1 error "$CASE/log" || true)"
    continue
  fi
  fault="$function limit $limit: $(grep -m1 planted "$CASE/log")"
  case $fault in
  *"planted nothing"*) echo "nothing $fault" ;;
  *"(checker: accepted"*) echo "harmless $fault" ;;
  *"(checker: rejected across classes: "*) echo "apart $fault" ;;
  *) if shows "$function"; then
    echo "shown $fault"
    ((++shown))
  else
    echo "hidden $fault"
    ((++hidden))
  fi ;;
  esac
done
metric shown $shown
metric hidden $hidden
((hidden == 0)) || declined "$hidden hidden"
((shown > 0)) || declined "no fault that must show"
