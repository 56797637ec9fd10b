#!/usr/bin/env bash
# What a knob does, and that it does something: an example is compiled with two values of it,
# and the PTX, or the statistics, must differ; of a knob said to have no effect they must not.
# The case "all" is that effects.txt has a row for each knob, and calls those without an
# effect so that say so themselves. case.sh KNOB
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
effects=tests/knobs/effects.txt

# Numbers, or names without one, of the knobs that the plugin lists; "nothing" beside those
# that say that they have no effect.
listed() {
  llc-22 -load="$PLUGIN" -regalloc=warpalloc -warpalloc-knob=help 2>&1 |
    awk '/^ +(-|[0-9]+)  [A-Za-z-]/ { if (knob) print knob, what; knob = $1 == "-" ? $2 : $1; what = "" }
      /no effect:/ { what = "nothing" }
      END { print knob, what }' | sed 's/ $//'
}

if [[ $1 == all ]]; then
  diff <(awk '!/^#/ { print $1, $NF == "nothing" ? $NF : "" }' "$effects" | sed 's/ $//' | sort) \
    <(listed | sort)
  exit
fi

read -r _ from to name options what < <(grep "^$1 " "$effects")
compile() {
  local side=$1 knobs=$2 input=target/examples/sm_90/$name.bc flags=()
  case $options in
  -) ;;
  opt:*)
    opt-22 -load="$PLUGIN" -load-pass-plugin="$PLUGIN" "-warpalloc-knob=$knobs" \
      -passes="${options#opt:}" "$name" -S -o "$CASE/$side.ptx"
    return
    ;;
  *) IFS=, read -ra flags <<<"$options" ;;
  esac
  # shellcheck disable=SC2046
  nvptx_llc 90 $(warpalloc_here) "${flags[@]}" -verify-regalloc -verify-machineinstrs \
    -print-regalloc-stats "-warpalloc-knob=$knobs" "$input" \
    -o "$CASE/$side.ptx" 2>"$CASE/$side.statistics" || fail "$(tail -n 1 "$CASE/$side.statistics")"
}
if [[ $what == named ]]; then
  grep -q "$options" "$name"
  exit
fi
compile from "$from"
compile to "$to"
case $what in
code) suffixes=(ptx) expected=different ;;
statistics) suffixes=(statistics) expected=different ;;
nothing) suffixes=(ptx statistics) expected=same ;;
esac
found=same
for suffix in "${suffixes[@]}"; do
  cmp -s "$CASE/from.$suffix" "$CASE/to.$suffix" || found=different
done
[[ $found == "$expected" ]] || fail "$1: $found $what with $from and $to"
