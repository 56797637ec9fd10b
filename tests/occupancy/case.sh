#!/usr/bin/env bash
# Checks occupancy for one SM. Against NVIDIA's cuda_occupancy.h, from the Python package
# nvidia-cuda-runtime: every block size x register count x size of shared memory, what bounds
# it included. Against ptxas, which gives a kernel under launch bounds the most registers that
# they allow: threads of an SM, and registers for block sizes that do not divide evenly.
# "planted": the comparison with the header must see one wrong line.
# case.sh header|ptxas|planted SM [SIZES]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
sm=$2
occupancy() { target/release/warpalloc occupancy --sm "$sm" "$@"; }

build() {
  local header
  header=$(find .venv/lib/ -path '*/cu13/include/cuda_occupancy.h' -print -quit)
  [[ -n $header ]] || fail "cuda_occupancy.h is missing: run make dependencies"
  g++ -std=c++17 -O2 -Wall -isystem "$(dirname "$header")" tests/occupancy/compare.cpp -o "$SHARED/compare"
}

# kernel THREADS BLOCKS: PTX with 300 values live at once under launch bounds.
kernel() {
  local version=9.0
  ((sm >= 75)) || version=8.0
  awk -v sm="$sm" -v threads="$1" -v blocks="$2" -v version=$version 'BEGIN {
    print ".version " version "\n.target sm_" sm "\n.address_size 64"
    print ".visible .entry k(.param .u64 p) .maxntid " threads " .minnctapersm " blocks " {"
    print ".reg .b64 %rd<2>; .reg .b32 %r<300>; ld.param.b64 %rd1, [p];"
    for (i = 0; i < 300; ++i) print "ld.volatile.global.b32 %r" i ", [%rd1];"
    for (i = 0; i < 300; ++i) print "st.volatile.global.b32 [%rd1], %r" i ";"
    print "ret; }"
  }'
}

# assembled THREADS BLOCKS: what ptxas says of it.
assembled() {
  kernel "$@" >"$CASE/k.ptx"
  nvptx_ptxas "$sm" -v "$CASE/k.ptx" -o /dev/null 2>&1
}

# most THREADS BLOCKS: our highest number of registers with so many blocks.
most() {
  occupancy --threads "$1" |
    sed -n 's/.* registers=\([0-9]*\) .* blocks=\([0-9]*\) .*/\1 \2/p' |
    awk -v blocks="$2" '$2 >= blocks { most = $1 } END { print most }'
}

case $1 in
header)
  once compare build
  occupancy --shared-memory "$3" | "$SHARED/compare"
  ;;
planted)
  once compare build
  occupancy --threads 256 | sed '7s/blocks=[0-9]*/blocks=99/' >"$CASE/spoilt"
  ! "$SHARED/compare" <"$CASE/spoilt" || fail "a planted fault was not found"
  ;;
ptxas)
  while read -r threads blocks; do
    used=$(assembled "$threads" "$blocks" | sed -n 's/.*Used \([0-9]*\) registers.*/\1/p')
    [[ $used == "$(most "$threads" "$blocks")" ]] ||
      fail "ptxas gives $used registers in $blocks x $threads threads"
  done < <(tr , '\n' <<<"128 2,128 3,128 5,160 3,96 7,288 1,288 2,1024 1")
  # ptxas warns of blocks with more threads than an SM holds.
  fit=$(occupancy --threads 128 --registers 16 | sed 's/.* blocks=\([0-9]*\) .*/\1/')
  [[ $(assembled 128 "$fit") != *"out of range"* ]] || fail "not $fit x 128 threads"
  [[ $(assembled 128 $((fit + 1))) == *"out of range"* ]] || fail "$((fit + 1)) x 128 threads"
  ;;
*) fail "unknown case $1" ;;
esac
