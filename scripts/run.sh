#!/usr/bin/env bash
# Builds the plugin, allocates one example with it and compares with stock llc.
# usage: run.sh [EXAMPLE [SM [LIMIT]]]        (default: attention 90 64)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
name=${1:-attention} sm=${2:-90} limit=${3:-64}
scripts/install.sh
cargo build --release --workspace --quiet
ONLY=$name scripts/compile_examples.sh "$sm"
bc=target/examples/sm_$sm/$name.bc
out=target/run
mkdir -p $out

nvptx_llc "$sm" "$bc" -o $out/stock.ptx
# shellcheck disable=SC2046
nvptx_llc "$sm" $(warpalloc) "-nvptx-regalloc-pressure-limit=$limit" -verify-regalloc \
  -print-regalloc-stats "$bc" -o $out/warpalloc.ptx 2>$out/stats || {
  cat $out/stats >&2
  exit 1
}

echo "$name for sm_$sm, at most $limit registers a thread"
echo
cat $out/stats
for who in stock warpalloc; do
  echo
  echo "$who declares:"
  # The lines of one kernel after another, in the file's order.
  awk '/\.reg /{ gsub(/[ \t]+/, " "); print "  " $0 }' $out/$who.ptx
done
echo
echo "then ptxas, free and with -maxrregcount=$limit (overriding launch bounds):"
row() { printf '  %-14s %-10s %6s %10s %7s %13s %12s %8s\n' "$@"; }
row kernel PTX cap registers stack "spill stores" "spill loads" LDL+STL
for cap in none "$limit"; do
  flags=()
  [[ $cap == none ]] || flags=("-maxrregcount=$cap" --override-directive-values)
  for who in stock warpalloc; do
    nvptx_ptxas "$sm" -v "${flags[@]}" -o $out/$who.cubin $out/$who.ptx >$out/$who.log 2>&1
    while read -r kernel numbers; do
      # shellcheck disable=SC2086
      row "${kernel:0:14}" $who "$cap" $numbers "$(local_accesses $out/$who.cubin)"
    done < <(ptxas_table <$out/$who.log)
  done
done
