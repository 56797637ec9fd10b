#!/usr/bin/env bash
# Checks occupancy. First against NVIDIA's cuda_occupancy.h, from the Python package
# nvidia-cuda-runtime: every SM x block size x register count, for sizes of shared memory
# at and around the limits, what bounds them included. Then against ptxas, which gives a
# kernel under launch bounds the most registers that they allow: threads of an SM, and
# registers for block sizes that do not divide evenly. Each SM is a test in both.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
out=target/occupancy
mkdir -p $out
occupancy() { target/release/warpalloc occupancy "$@"; }
shared=0,1,1024,8192,16384,33000,47104,49152,49153,65536,98304,101376,101377,166912,232448

header=$(find .venv/lib -path '*/cu13/include/cuda_occupancy.h' -print -quit)
[[ -n $header ]] || {
  echo "cuda_occupancy.h is missing: run scripts/install.sh" >&2
  exit 1
}
g++ -std=c++17 -O2 -Wall -isystem "$(dirname "$header")" scripts/occupancy.cpp -o $out/compare

# The comparison must see one wrong line.
if occupancy --sm 90 --threads 256 | sed '7s/blocks=[0-9]*/blocks=99/' | $out/compare >$out/planted.log; then
  echo "a planted fault was not found" >&2
  exit 1
fi
# Its last line is the sum of this part.
occupancy --shared-memory $shared | $out/compare >$out/header.log || true
sed '$d' $out/header.log
read -r passed _ failed _ < <(tail -n 1 $out/header.log)

# kernel SM THREADS BLOCKS: PTX with 300 values live at once under launch bounds.
kernel() {
  local version=9.0
  (($1 >= 75)) || version=8.0
  awk -v sm="$1" -v threads="$2" -v blocks="$3" -v version=$version 'BEGIN {
    print ".version " version "\n.target sm_" sm "\n.address_size 64"
    print ".visible .entry k(.param .u64 p) .maxntid " threads " .minnctapersm " blocks " {"
    print ".reg .b64 %rd<2>; .reg .b32 %r<300>; ld.param.b64 %rd1, [p];"
    for (i = 0; i < 300; ++i) print "ld.volatile.global.b32 %r" i ", [%rd1];"
    for (i = 0; i < 300; ++i) print "st.volatile.global.b32 [%rd1], %r" i ";"
    print "ret; }"
  }'
}

# assembled SM THREADS BLOCKS: what ptxas says of it.
assembled() {
  kernel "$@" >"$out/k.ptx"
  nvptx_ptxas "$1" -v "$out/k.ptx" -o /dev/null 2>&1
}

# most SM THREADS BLOCKS: our highest number of registers with so many blocks.
most() {
  occupancy --sm "$1" --threads "$2" |
    sed -n 's/.* registers=\([0-9]*\) .* blocks=\([0-9]*\) .*/\1 \2/p' |
    awk -v blocks="$3" '$2 >= blocks { most = $1 } END { print most }'
}

pairs="128 2,128 3,128 5,160 3,96 7,288 1,288 2,1024 1"
for sm in $(occupancy --threads 32 --registers 16 | sed 's/^sm=\([0-9]*\) .*/\1/'); do
  wrong=""
  while read -r threads blocks; do
    used=$(assembled "$sm" "$threads" "$blocks" | sed -n 's/.*Used \([0-9]*\) registers.*/\1/p')
    [[ $used == "$(most "$sm" "$threads" "$blocks")" ]] ||
      wrong+=", $used registers in $blocks x $threads threads"
  done < <(tr , '\n' <<<"$pairs")
  # ptxas warns of blocks with more threads than an SM holds.
  fit=$(occupancy --sm "$sm" --threads 128 --registers 16 | sed 's/.* blocks=\([0-9]*\) .*/\1/')
  [[ $(assembled "$sm" 128 "$fit") != *"out of range"* ]] || wrong+=", not $fit x 128 threads"
  [[ $(assembled "$sm" 128 $((fit + 1))) == *"out of range"* ]] ||
    wrong+=", $((fit + 1)) x 128 threads"
  if [[ -z $wrong ]]; then
    ((++passed))
    echo "sm_$sm: ptxas agrees"
  else
    ((++failed))
    echo "sm_$sm: ptxas says otherwise: ${wrong#, }"
  fi
done
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
