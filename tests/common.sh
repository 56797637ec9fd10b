# shellcheck shell=bash
# Sourced by the case.sh of each suite. tests/cases.py says what a case has and may say.
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

# The diagnostic of a limit that the operands of one instruction, or a call's, do not fit.
too_small='budget of [0-9]+ registers is too small|ran out of registers'

# The case ends here: nothing can be said, and why.
declined() {
  echo "$*"
  exit 77
}

# The case ends here: it fails, and why.
fail() {
  echo "$*"
  exit 1
}

# A number for the rules over all cases of a suite.
metric() { echo "metric $1 $2"; }

# once NAME COMMAND...: runs the command unless a case of this run of lit has done so well;
# cases that come meanwhile wait. It makes what cases share, in $SHARED. (Not in a condition:
# there the shell would go on behind what fails in a function.)
once() {
  local name=$1 done=$SHARED/$1.$RUN.done
  shift
  mkdir -p "$SHARED"
  exec 9>"$SHARED/lock"
  flock 9
  if [[ ! -e $done ]]; then
    rm -f "$SHARED/$name".*.done
    "$@" 9>&-
    touch "$done"
  fi
  flock -u 9
}

# Fails unless ptx-compare finds two files to do the same, in every launch.
same_memory() {
  target/release/ptx-compare "$1" "$2" >"$CASE/compare.log" 2>&1 &&
    grep -q ' 0 different, 0 unusable$' "$CASE/compare.log" ||
    fail "$(grep -m1 -E 'DIFFERENT|refused|unusable:' "$CASE/compare.log" || tail -n 1 "$CASE/compare.log")"
  tail -n 1 "$CASE/compare.log"
}

# The end of a case that compares a program before and after the passes over IR: says
# whether they did anything.
report_change() {
  if cmp -s "$1" "$2"; then
    metric changed 0
  else
    metric changed 1
  fi
}
