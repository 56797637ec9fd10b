#!/usr/bin/env bash
# Runs what python3 tools gpu-prepare has made in target/gpu on the GPU of this machine:
# the examples as stock LLVM and as warpalloc compile them, results compared, both
# timed. Needs nothing but bash and the NVIDIA driver. Without a GPU it says so, and
# nothing counts as passed.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "${BASH_SOURCE[0]}")/../../target/gpu"
[[ -x compare ]] || { echo "run python3 tools gpu-prepare first" >&2; exit 1; }
passed=0 failed=0
for launches in *.launches; do
  name=${launches%.launches} arguments=() status=0
  for cubin in "$name".[0-9]*.cubin; do
    limit=${cubin#"$name."}
    arguments+=("${limit%.cubin}" "$cubin")
  done
  ./compare "$launches" "$name.stock.cubin" "${arguments[@]}" >"$name.result" 2>&1 || status=$?
  cat "$name.result"
  ((status != 3)) || break
  # Without its last line the program has crashed.
  if [[ $(tail -n 1 "$name.result") != end ]]; then ((++failed)); fi
  ((failed += $(grep -c '^FAIL' "$name.result" || true), passed += $(grep -c '^[^F].* shape ' "$name.result" || true))) || true
done
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
