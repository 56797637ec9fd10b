#!/usr/bin/env bash
# What each technique brings: the examples for one SM at 64 and 32 registers, and
# SQLite, Lua and zlib for x86-64, all allocated again with the technique left out.
# Stores and reloads (folded ones and values computed anew included), the cost of both by block
# frequency, as ratio to all techniques, and copies left. The table is in
# docs/techniques.md.
# usage: techniques.sh [SM]           (default: 90)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"
sm=${1:-90}
out=target/techniques
need_plugin
scripts/compile_examples.sh "$sm"
benches/cpu_corpus.sh
rm -rf $out
mkdir -p $out

# dump NAME FILE LLC-FLAGS...: the functions of a bitcode file as the allocator sees them.
dump() {
  local name=$1 file=$2
  shift 2
  mkdir -p "$out/$name"
  # shellcheck disable=SC2046
  "$@" $(warpalloc) "-warpalloc-dump=$out/$name" "$file" -o /dev/null
}
for bc in target/examples/"sm_$sm"/*.bc; do
  dump "gpu/$(basename "$bc" .bc)" "$bc" nvptx_llc "$sm"
done
for bc in target/corpus/*.bc; do
  dump "cpu/$(basename "$bc" .bc)" "$bc" llc-22 -O2 -relocation-model=static
done

# total FOLDER FLAGS...: "ACCESSES COST COPIES" over all functions in a folder.
total() {
  local folder=$1
  shift
  find "$folder" -type f -print0 | sort -z | xargs -0 target/release/warpalloc replay "$@" 2>&1 |
    awk '{ for (i = 1; i <= NF; i++) { split($i, pair, "="); sum[pair[1]] += pair[2] } }
      END { print sum["stores"] + sum["reloads"] + sum["folded"] + sum["remats"], sum["spill_cost"], sum["copies_left"] }'
}

printf '%-22s%26s%26s%26s\n' "" "GPU, 64 registers" "GPU, 32 registers" "x86-64"
printf '%-22s%26s%26s%26s\n' "left out" "accesses   cost copies" "accesses   cost copies" \
  "accesses   cost copies"
declare -A all
for left_out in nothing split remat split,remat fold uniform hints coalesce tuples; do
  flags=()
  [[ $left_out == nothing ]] || for pass in ${left_out//,/ }; do flags+=(--disable "$pass"); done
  printf '%-22s' "$left_out"
  for column in "gpu 64" "gpu 32" "cpu"; do
    read -r folder limit <<<"$column"
    read -r accesses cost copies < <(total "$out/$folder" ${limit:+--pressure-limit "$limit"} "${flags[@]}")
    [[ $left_out != nothing ]] || all[$column]=$cost
    printf '%12d %6.3f %6d' "$accesses" \
      "$(awk -v a="$cost" -v b="${all[$column]}" 'BEGIN { print a / b }')" "$copies"
  done
  echo
done
