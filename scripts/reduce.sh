#!/usr/bin/env bash
# Reduces an LLVM module on which warpalloc goes wrong, with llvm-reduce.
# usage: reduce.sh message TEXT INPUT.ll [LLC-OPTION...]
#          llc fails with TEXT in its messages, stock llc does not fail
#        reduce.sh program INPUT.ll [LLC-OPTION...]
#          a program for this machine prints something else than with greedy
#        reduce.sh kernels INPUT.ll [LLC-OPTION...]
#          kernels compute something else than as stock llc compiles them
# The result is target/reduce/NAME.ll. Options that stock llc does not know are given
# to warpalloc only; the checkers run unless the options turn them off.
set -euo pipefail
start=$PWD
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# stock_options OPTION...: those that stock llc knows, a line for each.
stock_options() {
  for option; do
    [[ $option == -warpalloc-* || $option == -nvptx-regalloc-* ]] || echo "$option"
  done
}

# interesting KIND TEXT OPTION... INPUT: does the input still show the fault?
interesting() {
  local kind=$1 text=$2 input=${*: -1} stock work status=0
  set -- "${@:3:$#-3}"
  work=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$work'" EXIT
  mapfile -t stock < <(stock_options "$@")
  local type=asm
  [[ $kind != program ]] || type=obj
  llc-22 -O2 "${stock[@]}" -filetype=$type "$input" -o "$work/stock" 2>"$work/messages" || exit 1
  # shellcheck disable=SC2046
  llc-22 -O2 $(warpalloc_here) -verify-regalloc -verify-machineinstrs "$@" -filetype=$type "$input" \
    -o "$work/ours" 2>"$work/messages" || status=$?
  case $kind in
  message) ((status != 0)) && grep -qF -e "$text" "$work/messages" ;;
  program)
    ((status == 0)) && gcc -no-pie "$work/stock" -o "$work/stock.exe" &&
      gcc -no-pie "$work/ours" -o "$work/ours.exe" &&
      timeout 5 "$work/stock.exe" >"$work/expected" &&
      ! { timeout 20 "$work/ours.exe" | cmp -s - "$work/expected"; }
    ;;
  kernels)
    ((status == 0)) || exit 1
    target/release/ptx-compare "$work/stock" "$work/ours" >"$work/messages" 2>&1 && exit 1
    grep -q DIFFERENT "$work/messages"
    ;;
  esac
}
if [[ ${1:-} == test ]]; then
  interesting "${@:2}" 2>/dev/null
  exit
fi

kind=${1:-} text=
[[ $kind == message || $kind == program || $kind == kernels ]] || {
  sed -n '3,11s/^# *//p' "${BASH_SOURCE[0]}" >&2
  exit 2
}
shift
if [[ $kind == message ]]; then
  text=$1
  shift
fi
input=$(realpath "$start/$1" 2>/dev/null || realpath "$1")
shift
need_plugin
mkdir -p target/reduce
name=$(basename "${input%.*}")
arguments=()
for argument in test "$kind" "$text" "$@"; do arguments+=("--test-arg=$argument"); done
llvm-reduce-22 -j "$(nproc)" --test=scripts/reduce.sh \
  "${arguments[@]}" -o "target/reduce/$name.ll" "$input"
echo "target/reduce/$name.ll"
