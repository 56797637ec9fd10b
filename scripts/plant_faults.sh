#!/usr/bin/env bash
# Does executing kernels find wrong allocations? The plugin plants a fault into a
# correct allocation (an interference edge dropped, a spill moved), and the kernel is
# executed beside stock llc's. A fault that the symbolic checker rejects has to show:
# as different memory, as another value stored on the way, as an access out of bounds and
# the like, or as a read of what was never written. What the checker accepts, or what has
# only moved past code that has nothing to do with it, changes nothing and counts as
# harmless.
# A conflict between registers of two types is counted apart: in PTX they are different
# registers, so it cannot show.
# usage: plant_faults.sh [EXAMPLE...]     (compiled by scripts/compile_examples.sh)
# Environment: FIRST (default 1) and COUNT (default 4), random kernels; FIRST_SEED
# (default 1) and SEEDS (default 5), faults in each function; LIMITS (default
# "64 32 24"), one a fault by turns; LEAST (default 95), the share in percent that has to
# show; SM (default 90).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
first=${FIRST:-1} count=${COUNT:-4} first_seed=${FIRST_SEED:-1} sm=${SM:-90}
out=target/plant-faults
compare=target/release/ptx-compare

# try NAME: one line for each fault planted in $out/NAME.bc.
try() {
  local base=$out/$1 limits functions function seed limit fault
  read -ra limits <<<"${LIMITS:-64 32 24}"
  nvptx_llc "$sm" "$base.bc" -o "$base.stock.ptx"
  # shellcheck disable=SC2046
  nvptx_llc "$sm" $(warpalloc_here) -print-regalloc-stats "$base.bc" -o /dev/null 2>"$base.log"
  mapfile -t functions < <(sed -n 's/^warpalloc: function=\([^ ]*\) .*/\1/p' "$base.log")
  for function in "${functions[@]}"; do
    for ((seed = first_seed; seed < first_seed + ${SEEDS:-5}; seed++)); do
      limit=${limits[seed % ${#limits[@]}]}
      # shellcheck disable=SC2046
      if ! nvptx_llc "$sm" $(warpalloc_here) "-nvptx-regalloc-pressure-limit=$limit" \
        "-warpalloc-plant-fault=$seed" "-warpalloc-plant-function=$function" \
        "$base.bc" -o "$base.ptx" 2>"$base.log"; then
        echo "declined $1 $function limit $limit seed $seed: $(grep -m1 error "$base.log" || true)"
        continue
      fi
      fault="$1 limit $limit seed $seed $(grep -m1 planted "$base.log")"
      case $fault in
      *"planted nothing"*) echo "nothing $fault" ;;
      *"(checker: accepted"*) echo "harmless $fault" ;;
      *"(checker: rejected across classes: "*) echo "apart $fault" ;;
      *) if shows; then echo "shown $fault"; else echo "hidden $fault"; fi ;;
      esac
    done
  done
  rm -f "$base".*
}
# A difference, or only the planted one reads what was never written.
shows() {
  ! "$compare" "$base.stock.ptx" "$base.ptx" "$function" >"$base.out" 2>&1 ||
    grep -q 'unwritten read on lines \[\[\], \[[0-9]' "$base.out"
}
if [[ ${1:-} == try ]]; then
  try "$2"
  exit
fi

need_plugin
cargo build --quiet --release -p ptx-interpreter
rm -rf "$out"
mkdir -p "$out"
names=("$@")
for name; do cp "target/examples/sm_$sm/$name.bc" "$out"; done
for ((seed = first; seed < first + count; seed++)); do
  names+=("random-$seed")
  target/release/random-kernel --seed "$seed" >"$out/random.ll"
  opt-22 "-O$((seed % 2 * 2))" -vectorize-loops=false -vectorize-slp=false "$out/random.ll" -o "$out/random-$seed.bc"
done
printf '%s\n' "${names[@]}" |
  xargs -P "$(nproc)" -I{} scripts/plant_faults.sh try {} >"$out/results"
number() { grep -cE "^$1" "$out/results" || true; }
grep hidden "$out/results" || true
echo "$(number declined) declined, $(number nothing) without a place for a fault," \
  "$(number harmless) harmless, $(number apart) across types"
for kind in DropEdge MoveSpill; do
  echo "$kind: $(number "shown .*$kind") shown, $(number "hidden .*$kind") hidden"
done
shown=$(number shown) hidden=$(number hidden)
echo "$shown of $((shown + hidden)) faults show"
((shown > 0 && shown * 100 >= ${LEAST:-95} * (shown + hidden)))
