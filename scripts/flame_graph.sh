#!/usr/bin/env bash
# Where llc spends its time with the allocator: target/flame_graph.svg, and the allocator's
# functions by the time in them and what they call. Needs perf.
# flame_graph.sh FILE.bc [OPTION OF llc...]
set -euo pipefail
file=$(realpath "$1") && shift
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
command -v perf >/dev/null || {
  echo "perf is missing; on Debian install linux-perf" >&2
  exit 1
}
out=$PWD/target/flame_graph
# Names and frame pointers cost little, and without link-time optimisation fewer functions are
# inlined into others.
CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_STRIP=none CARGO_PROFILE_RELEASE_DEBUG=1 \
  RUSTFLAGS="-C force-frame-pointers=yes" \
  cargo build --quiet --release -p warpalloc --target-dir "$out"
[[ -x target/tools/bin/inferno-flamegraph ]] ||
  cargo install --quiet --locked --root target/tools --version =0.12.8 inferno

perf record --quiet -F 997 --call-graph fp -o "$out/perf.data" \
  llc-22 -O2 -load="$out/release/libwarpalloc.so" -regalloc=warpalloc "$@" "$file" -o /dev/null
perf script -i "$out/perf.data" 2>/dev/null |
  target/tools/bin/inferno-collapse-perf 2>/dev/null |
  target/tools/bin/inferno-flamegraph >target/flame_graph.svg
perf report -i "$out/perf.data" --children -g none --stdio --dsos libwarpalloc.so 2>/dev/null |
  awk '!/^#|inlined/ && /passes::|warpalloc::/ { name = $0; sub(/.*\[\.\] +/, "", name); print $1, $2, name }' | head -n 30
echo "target/flame_graph.svg"
