#!/usr/bin/env bash
# The allocator keeps nothing of a function once it is done: with ten times as many
# functions in a module, llc's peak memory must not rise by more than it does with
# LLVM's own allocator (stock LLVM on NVPTX), apart from a few bytes a function.
# usage: check_memory.sh
# Environment: COUNT, the smaller number of functions (default 300).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need_plugin
count=${COUNT:-300}
allowed=1500 # bytes a function
out=target/memory
passed=0 failed=0
mkdir -p $out

for n in "$count" $((count * 10)); do
  scripts/huge_function.py functions "$n" 40 >"$out/$n.ll"
done

# peak FILE OPTIONS...: kilobytes.
peak() {
  local file=$1
  shift
  /usr/bin/time -f %M -o $out/peak llc-22 -O2 "$@" "$file" -filetype=null && cat $out/peak
}

# growth OPTIONS...: bytes for each further function.
growth() {
  local few many
  few=$(peak "$out/$count.ll" "$@")
  many=$(peak "$out/$((count * 10)).ll" "$@")
  echo $(((many - few) * 1024 / (count * 9)))
}

# compare TARGET OPTIONS...: with and without warpalloc.
compare() {
  local target=$1 stock ours plugin=("-load=$PLUGIN" -regalloc=warpalloc -warpalloc-spills=here)
  shift
  [[ $target != nvptx ]] || plugin+=(-nvptx-regalloc-pressure-limit=24)
  stock=$(growth "$@")
  ours=$(growth "$@" "${plugin[@]}")
  echo "$target: each function takes $stock bytes in stock LLVM, $ours with warpalloc"
  if ((ours - stock <= allowed)); then ((++passed)); else ((++failed)); fi
}
compare x86 -mtriple=x86_64-linux-gnu
compare nvptx -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 -mattr=+ptx88
echo
echo "$passed passed, $failed failed"
((failed == 0))
