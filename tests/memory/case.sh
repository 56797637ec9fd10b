#!/usr/bin/env bash
# The allocator keeps nothing of a function once it is done: with ten times as many
# functions in a module, llc's peak memory must not rise by more than it does with LLVM's
# own allocator (stock LLVM on NVPTX), apart from a few bytes a function.
# case.sh x86|nvptx COUNT
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
target=$1 count=$2
allowed=1500 # bytes a function
for n in "$count" $((count * 10)); do
  tests/huge/huge_function.py functions "$n" 40 >"$CASE/$n.ll"
done

# peak FILE OPTIONS...: kilobytes.
peak() {
  local file=$1
  shift
  /usr/bin/time -f %M -o "$CASE/peak" llc-22 -O2 "$@" "$file" -filetype=null && cat "$CASE/peak"
}

# growth OPTIONS...: bytes for each further function.
growth() {
  local few many
  few=$(peak "$CASE/$count.ll" "$@")
  many=$(peak "$CASE/$((count * 10)).ll" "$@")
  echo $(((many - few) * 1024 / (count * 9)))
}

plugin=("-load=$PLUGIN" -regalloc=warpalloc -warpalloc-spills=here)
case $target in
x86) options=(-mtriple=x86_64-linux-gnu) ;;
nvptx)
  options=(-mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 -mattr=+ptx88)
  plugin+=(-nvptx-regalloc-pressure-limit=24)
  ;;
esac
stock=$(growth "${options[@]}")
ours=$(growth "${options[@]}" "${plugin[@]}")
echo "each function takes $stock bytes in stock LLVM, $ours with warpalloc"
((ours - stock <= allowed))
