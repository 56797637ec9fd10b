#!/usr/bin/env bash
# Whole programs (SQLite, Lua, zlib, bzip2, LZ4), before and after the passes over IR,
# executed on this machine: what they print must be the same. Each as clang -O2 leaves it,
# where few functions change, and without clang's inlining and unrolling, where ours find
# calls with local addresses and loops that index local arrays. Nothing optimises what the
# passes made: it is verified, and goes to code generation as it is. (-verify-each, which the
# other checks of the passes have, verifies a function once for each of its loops: hours,
# where calls have been inlined.) Fails also if no function changes.
# usage: prepared_corpus.sh [PROGRAM...]
# Environment: PLUGIN.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
(($#)) || set -- zlib bzip2 lz4 lua sqlite
out=target/prepared-corpus
need_plugin
benches/cpu_corpus.sh
benches/cpu_corpus.sh raw
mkdir -p "$out"

# try PROGRAM VARIANT: sets result to "ok ..." or "FAIL ...".
try() {
  local program=$1 base=$out/$1.$2 log=$out/$1.$2.log arguments=(1) side
  [[ $program != lua ]] || arguments=(benches/drivers/mix.lua 1)
  case $2 in
  O2) cp "target/corpus/$program.bc" "$base.before.bc" ;;
  *) opt-22 -passes="$simplify" "target/corpus/raw/$program.bc" -o "$base.before.bc" ;;
  esac
  result="FAIL, see $log"
  opt-22 -load-pass-plugin="$PLUGIN" -passes=warpalloc,verify "$base.before.bc" \
    -o "$base.after.bc" 2>"$log" || return 0
  for side in before after; do
    llc-22 -O2 -relocation-model=static "$base.$side.bc" -filetype=obj -o "$base.$side.o" 2>"$log" &&
      clang-22 -no-pie "$base.$side.o" -o "$base.$side" -lm 2>"$log" || return 0
    timeout 300 "$base.$side" "${arguments[@]}" >"$base.$side.out" 2>"$log" || return 0
  done
  local changed
  changed=$(scripts/changed_functions.py "$base.before.bc" "$base.after.bc")
  if cmp "$base.before.out" "$base.after.out" >"$log" && [[ -s $base.before.out ]]; then
    result="ok, $changed"
  fi
}

passed=0 failed=0 all=
for program; do
  for variant in O2 simple; do
    try "$program" "$variant"
    case $result in
    ok*) ((++passed)) ;;
    *) ((++failed)) ;;
    esac
    all+="$result"$'\n'
    echo "$program $variant: $result"
  done
done
grep -q '^ok, [1-9]' <<<"$all" || {
  echo "FAIL no function changes"
  ((++failed))
}
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
