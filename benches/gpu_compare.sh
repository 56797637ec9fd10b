#!/usr/bin/env bash
# Every example at several budgets: stock llc with the budget given to ptxas alone
# (-maxrregcount), against warpalloc with the same budget, then ptxas with it and
# without. Registers: of the largest kernel. Spill: bytes of spill stores and loads
# that ptxas reports. LDL+STL: local memory instructions in the machine code, which
# count warpalloc's own spills and the programs' own arrays too.
# usage: gpu_compare.sh [SM [LIMIT...]]       (default: 90 128 64 32)
# Environment: ONLY, a pattern of names.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"
sm=${1:-90}
if (($# > 1)); then shift; else set -- 128 64 32; fi
need_plugin
scripts/compile_examples.sh "$sm"

# assemble PTX PTXAS-FLAGS...: prints "REGISTERS SPILL LOCAL"
assemble() {
  local ptx=$1
  shift
  nvptx_ptxas "$sm" -v "$@" -o "$ptx.cubin" "$ptx" >"$ptx.log" 2>&1 || {
    echo "FAIL - -"
    return
  }
  ptxas_table <"$ptx.log" | awk -v l="$(local_accesses "$ptx.cubin")" '
    { if ($2 > r) r = $2; s += $4 + $5 } END { print r + 0, s + 0, l }'
}

measure() {
  local bc=$1 limit=$2 dir=target/gpu-compare name cap stock=(- - -) plain=(- - -) capped=(- - -)
  name=$(basename "$bc" .bc)
  # Without the second flag ptxas leaves kernels with launch bounds uncapped.
  cap=("-maxrregcount=$limit" --override-directive-values)
  mkdir -p $dir
  nvptx_llc "$sm" "$bc" -o "$dir/$name.$limit.stock.ptx"
  read -ra stock < <(assemble "$dir/$name.$limit.stock.ptx" "${cap[@]}")
  # shellcheck disable=SC2046
  if nvptx_llc "$sm" $(warpalloc) "-nvptx-regalloc-pressure-limit=$limit" "$bc" \
    -o "$dir/$name.$limit.ptx" 2>"$dir/$name.$limit.err"; then
    read -ra plain < <(assemble "$dir/$name.$limit.ptx")
    read -ra capped < <(assemble "$dir/$name.$limit.ptx" "${cap[@]}")
  fi
  printf '%-24s %5s  %6s %7s %8s   %6s %7s %8s   %6s %7s %8s\n' "$name" "$limit" \
    "${stock[@]}" "${capped[@]}" "${plain[@]}"
}
export -f measure assemble local_accesses nvptx_llc nvptx_ptxas ptxas_table warpalloc
export sm PLUGIN

printf '%30s  %-23s   %-23s   %s\n' "" "stock, ptxas capped" "warpalloc, ptxas capped" "warpalloc, ptxas free"
printf '%-24s %5s  %6s %7s %8s   %6s %7s %8s   %6s %7s %8s\n' "example (sm_$sm)" limit \
  regs spill LDL+STL regs spill LDL+STL regs spill LDL+STL
for bc in "target/examples/sm_$sm"/*.bc; do
  # shellcheck disable=SC2053
  [[ $(basename "$bc" .bc) == ${ONLY:-*} ]] || continue
  for limit; do echo "$bc $limit"; done
done | xargs -P 2 -L 1 bash -c 'measure "$@"' _ | sort -k1,1 -k2,2nr
