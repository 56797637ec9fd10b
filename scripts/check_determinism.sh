#!/usr/bin/env bash
# Compiles inputs again and again, each time with one thing about the machine
# changed that must not matter, and compares output and statistics byte by byte:
# addresses, locale, size of the environment, current folder, log filter, threads.
# usage: check_determinism.sh
# Environment: ALL=1 for more and larger inputs.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need_plugin
root=$PWD out=$PWD/target/determinism
passed=0 failed=0
rm -rf "$out"
mkdir -p "$out/elsewhere"

# Inputs: a name, the file, and options.
inputs=()
names=(calls gemm mma) corpora=(zlib)
if ((${ALL:-0})); then
  names+=(attention fft sha256 softmax cub-radix_sort) corpora+=(lua)
fi
for name in "${names[@]}"; do
  file=$root/target/examples/sm_90/$name.bc
  [[ -f $file ]] || continue
  for limit in 255 32; do
    inputs+=("$name-$limit $file -mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=$limit")
  done
done
for corpus in "${corpora[@]}"; do
  file=$root/target/corpus/$corpus.bc
  [[ ! -f $file ]] || inputs+=("$corpus $file -filetype=obj -relocation-model=static")
done
for file in "$root"/llvm-tests/X86/{int128,loops}.ll; do
  name=$(basename "$file" .ll)
  inputs+=("x86-$name $file -mtriple=x86_64-linux-gnu")
  inputs+=("aarch64-$name $file -mtriple=aarch64-linux-gnu")
  inputs+=("riscv64-$name $file -mtriple=riscv64-linux-gnu -mattr=+m,+a,+f,+d")
done

# Ways to run the same compiler: a name and what is put before the command.
big=$(printf 'x%.0s' {1..100000})
ways=(
  "again env"
  "fixed-addresses setarch -R"
  "empty-environment env -i PATH=$PATH"
  "big-environment env PADDING=$big"
  "locale-C env LC_ALL=C"
  "locale-Turkish env LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8"
  "locale-German env LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8"
  "time-zone env TZ=Pacific/Kiritimati"
  "log env WARPALLOC_LOG=trace RUST_LOG=trace RUST_BACKTRACE=1"
  "folder env -C $out/elsewhere"
  "one-processor taskset -c 0"
  "little-stack bash -c 'ulimit -s 4096; exec \"\$@\"' -"
)

# compile NAME FILE WAY OPTIONS...: output and statistics go to $out/NAME.WAY.*;
# lines of the log are left out.
compile() {
  local base=$out/$1.$3 file=$2
  shift 3
  if ! "${before[@]}" llc-22 -O2 "-load=$PLUGIN" -regalloc=warpalloc \
    -warpalloc-spills=here -print-regalloc-stats \
    "$@" "$file" -o "$base.out" 2>"$base.err"; then
    tail -n 3 "$base.err"
    return 1
  fi
  grep '^warpalloc: function=' "$base.err" >"$base.stats"
}

for input in "${inputs[@]}"; do
  read -r -a words <<<"$input"
  name=${words[0]} file=${words[1]} options=("${words[@]:2}")
  before=(env -u WARPALLOC_LOG)
  if ! compile "$name" "$file" first "${options[@]}"; then
    echo "FAIL: $name does not compile"
    ((++failed))
    continue
  fi
  for way in "${ways[@]}"; do
    eval "before=(${way#* })"
    way=${way%% *}
    if compile "$name" "$file" "$way" "${options[@]}" &&
      cmp "$out/$name.first.out" "$out/$name.$way.out" &&
      cmp "$out/$name.first.stats" "$out/$name.$way.stats"; then
      ((++passed))
    else
      echo "FAIL: $name, $way"
      ((++failed))
    fi
    rm -f "$out/$name.$way".*
  done
done

# The log was on: otherwise the way named so shows nothing.
WARPALLOC_LOG=trace llc-22 "-load=$PLUGIN" -regalloc=warpalloc -mtriple=x86_64-linux-gnu \
  llvm-tests/X86/loops.ll -o /dev/null 2>"$out/log"
if grep -q coloured "$out/log"; then
  ((++passed))
else
  echo "FAIL: WARPALLOC_LOG=trace logs nothing"
  ((++failed))
fi

# Different thread counts: the statistics of all functions, in whatever order.
parallel=target/threads/parallel
examples=(target/examples/sm_90/*.bc)
if [[ -x $parallel && -f ${examples[0]} ]]; then
  for threads in 1 2 7; do
    $parallel "-load=$PLUGIN" -regalloc=warpalloc -warpalloc-spills=here -print-regalloc-stats -mcpu=sm_90 \
      -mattr=+ptx88 "-parallel-threads=$threads" -repeat=2 "${examples[@]}" \
      >"$out/threads.$threads.log" 2>"$out/threads.$threads.err" || echo failed >>"$out/threads.$threads.err"
    sort "$out/threads.$threads.err" >"$out/threads.$threads.stats"
    if cmp "$out/threads.1.stats" "$out/threads.$threads.stats" && ! grep -qx failed "$out/threads.$threads.err"; then
      ((++passed))
    else
      echo "FAIL: $threads threads"
      ((++failed))
    fi
  done
fi
echo
echo "$passed passed, $failed failed"
((failed == 0))
