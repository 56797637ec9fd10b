#!/usr/bin/env bash
# What each technique brings: kernels for one SM at 64 and 32 registers as ptxas leaves
# them, and SQLite, Lua and zlib for x86-64, all compiled again with the technique left
# out. GPU: loads from and stores to local memory in the machine code, and all
# instructions as ratio to all techniques. CPU: stores and reloads (folded ones and values
# computed anew included), their cost by block frequency as ratio to all techniques, and
# copies left. The table is in docs/techniques.md.
# usage: techniques.sh [SM [DIRECTORY...]]     (of .ll and .bc files for the SM;
#                                               default: 90 and the examples)
# A file LLC_FLAGS in a directory has more options for llc.
# Environment: LIMITS (default "64 32"), TECHNIQUES, JOBS (2).
set -euo pipefail
directories=()
for directory in "${@:2}"; do directories+=("$(realpath "$directory")"); done
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"
sm=${1:-90}
out=target/techniques
need_plugin
if ((!${#directories[@]})); then
  scripts/compile_examples.sh "$sm"
  directories=("target/examples/sm_$sm")
fi
benches/cpu_corpus.sh
rm -rf $out
mkdir -p $out/cpu $out/gpu

# The CPU functions as the allocator sees them.
for bc in target/corpus/{sqlite,lua,zlib}.bc; do
  # shellcheck disable=SC2046
  llc-22 -O2 -relocation-model=static $(warpalloc_here) \
    "-warpalloc-dump=$out/cpu/$(basename "$bc" .bc)" "$bc" -o /dev/null
done

# replayed LEFT-OUT: "ACCESSES COST COPIES" over all of them.
replayed() {
  local flags=()
  [[ $1 == nothing ]] || for pass in ${1//,/ }; do flags+=(--disable "$pass"); done
  find $out/cpu -type f -print0 | sort -z |
    xargs -0 "$(dirname "$PLUGIN")/warpalloc" replay "${flags[@]}" 2>&1 |
    awk '{ for (i = 1; i <= NF; i++) { split($i, pair, "="); sum[pair[1]] += pair[2] } }
      END { print sum["stores"] + sum["reloads"] + sum["folded"] + sum["remats"], sum["spill_cost"], sum["copies_left"] }'
}

# assembled LEFT-OUT LIMIT FILE: "LOCAL INSTRUCTIONS" of the machine code.
assembled() {
  local left_out=$1 limit=$2 file=$3 flags=() base
  base=$out/gpu/$left_out.$limit.$(echo "$file" | tr / -)
  [[ $left_out == nothing ]] || flags=("-warpalloc-disable=$left_out")
  [[ ! -f $(dirname "$file")/LLC_FLAGS ]] || flags+=($(cat "$(dirname "$file")/LLC_FLAGS"))
  # shellcheck disable=SC2046
  nvptx_llc "$sm" $(warpalloc_here) "-nvptx-regalloc-pressure-limit=$limit" \
    "${flags[@]}" "$file" -o "$base.ptx"
  nvptx_ptxas "$sm" "-maxrregcount=$limit" --override-directive-values -o "$base.cubin" "$base.ptx"
  echo "$(local_accesses "$base.cubin") $(.venv/bin/nvdisasm -c "$base.cubin" |
    grep -E '^\s*/\*[0-9a-f]{4,}\*/' | grep -cv '\bNOP\b')"
  rm "$base".*
}
export -f assembled warpalloc warpalloc_here nvptx_llc nvptx_ptxas local_accesses
export sm out PLUGIN

read -ra limits <<<"${LIMITS:-64 32}"
printf '%-22s' ""
for limit in "${limits[@]}"; do printf '%20s' "GPU, $limit registers"; done
printf '%28s\n%-22s' "x86-64" "left out"
for limit in "${limits[@]}"; do printf '%20s' "LDL+STL   all"; done
printf '%28s\n' "accesses   cost  copies"
techniques="split remat split,remat remat-chains fold reorder vectors share-slots uniform"
techniques+=" low-halves pack-predicates spill-reserve hints coalesce tuples"
declare -A all
for left_out in nothing ${TECHNIQUES:-$techniques}; do
  printf '%-22s' "$left_out"
  for limit in "${limits[@]}"; do
    # A kernel that does not compile ends the script.
    sums=$(find "${directories[@]}" -name '*.ll' -o -name '*.bc' | sort |
      xargs -P "${JOBS:-2}" -I{} bash -c 'set -euo pipefail; assembled "$@"' _ "$left_out" "$limit" {} |
      awk '{ local += $1; all += $2 } END { print local, all }')
    read -r local instructions <<<"$sums"
    [[ $left_out != nothing ]] || all[$limit]=$instructions
    printf '%13d %6.3f' "$local" "$(awk -v a="$instructions" -v b="${all[$limit]}" 'BEGIN { print a / b }')"
  done
  sums=$(replayed "$left_out")
  read -r accesses cost copies <<<"$sums"
  [[ $left_out != nothing ]] || all[cpu]=$cost
  printf '%13d %6.3f %7d\n' "$accesses" \
    "$(awk -v a="$cost" -v b="${all[cpu]}" 'BEGIN { print a / b }')" "$copies"
done
