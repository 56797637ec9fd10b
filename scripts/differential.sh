#!/usr/bin/env bash
# Compiles random programs (csmith's) with LLVM's greedy allocator and with
# warpalloc in several ways, all checkers on, runs them and compares what they
# print. Programs that run too long, or that greedy does not compile, are left out.
# usage: differential.sh [x86_64|aarch64|riscv64 ...]      (default: all three)
# Environment: FIRST, the first seed (default 1); COUNT, seeds for x86_64 (default 20;
# a fifth as many for the others, which run under qemu-user).
# With the register file cut to a few registers, it may decline a program.
# Odd seeds are compiled at -O2, even ones at -O1. What fails is kept in
# target/differential/ARCH.SEED.c.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
(($#)) || set -- x86_64 aarch64 riscv64
first=${FIRST:-1} count=${COUNT:-20}
out=target/differential
need_plugin
mkdir -p $out

# The ways in which warpalloc is run: name and options.
ways=(
  "default"
  "own-coalescing -join-liveintervals=false"
  "conservative -join-liveintervals=false -warpalloc-disable=optimistic-coalesce"
  "plain -warpalloc-disable=coalesce,hints"
  "eight -warpalloc-class-limit=8"
  "six -warpalloc-class-limit=6"
  "four -warpalloc-class-limit=4 -join-liveintervals=false"
)

# target ARCH: sets how to compile, link and run for it.
target() {
  case $1 in
  x86_64) front=() back=() link=(gcc -no-pie) run=() ;;
  aarch64)
    front=(-isystem /usr/aarch64-linux-gnu/include) back=()
    link=(aarch64-linux-gnu-gcc -static) run=(qemu-aarch64)
    ;;
  riscv64)
    front=(-march=rv64gc -isystem /usr/riscv64-linux-gnu/include)
    back=("-mattr=+m,+a,+f,+d,+c" -target-abi=lp64d)
    link=(riscv64-linux-gnu-gcc -static) run=(qemu-riscv64)
    ;;
  esac
}

# build PROGRAM LLC-OPTIONS...: PROGRAM.bc becomes PROGRAM.exe.
build() {
  local program=$1
  shift
  llc-22 -O2 -relocation-model=static "${back[@]}" "$@" "$program.bc" -filetype=obj \
    -o "$program.o" && "${link[@]}" "$program.o" -o "$program.exe"
}

# observe SECONDS PROGRAM OUTPUT: what it prints, and how it ends.
observe() {
  local status=0
  timeout "$1" "${run[@]}" "$2.exe" >"$3" 2>&1 || status=$?
  echo "exit $status" >>"$3"
  ((status != 124))
}

# try ARCH SEED: writes a line "ok", "FAIL ..." or "skip" for each way.
try() {
  local arch=$1 seed=$2 base=$out/$1.$2 way name options
  target "$arch"
  # It leaves a file in the current folder.
  (cd $out && csmith --seed "$seed" --output "$arch.$seed.c" >/dev/null)
  if ! clang-22 "--target=$arch-linux-gnu" "${front[@]}" -isystem /usr/include/csmith -w \
    "-O$((seed % 2 + 1))" -emit-llvm -c "$base.c" -o "$base.bc" ||
    ! build "$base" || ! observe 10 "$base" "$base.expected"; then
    echo "skip $arch $seed"
    rm -f "$base".*
    return
  fi
  for way in "${ways[@]}"; do
    read -r name options <<<"$way"
    # shellcheck disable=SC2046,SC2086
    if ! build "$base" $(warpalloc) -verify-regalloc -verify-machineinstrs $options \
      2>"$base.log"; then
      # Calls that fill the few registers that are left cannot be allocated.
      if [[ $options == *class-limit* ]] && grep -q "ran out of registers" "$base.log"; then
        echo "declined $arch seed $seed $name"
        continue
      fi
      echo "FAIL $arch seed $seed $name: $(grep -m1 error "$base.log" || tail -1 "$base.log")"
    elif ! observe 60 "$base" "$base.actual" || ! cmp -s "$base.expected" "$base.actual"; then
      echo "FAIL $arch seed $seed $name: it prints something else"
    else
      echo "ok"
    fi
  done >"$base.results"
  cat "$base.results"
  if grep -q FAIL "$base.results"; then rm -f "$base".{o,exe}; else rm -f "$base".*; fi
}
if [[ ${1:-} == try ]]; then
  try "$2" "$3"
  exit
fi

for arch; do
  n=$count
  [[ $arch == x86_64 ]] || n=$(((count + 4) / 5))
  for ((seed = first; seed < first + n; seed++)); do echo "try $arch $seed"; done
done | xargs -P "$(nproc)" -L 1 scripts/differential.sh >$out/results

grep FAIL $out/results || true
echo "$(grep -c skip $out/results || true) programs left out," \
  "$(grep -c declined $out/results || true) declined with a cut register file"
failed=$(grep -c FAIL $out/results || true)
passed=$(grep -cx ok $out/results || true)
echo
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
