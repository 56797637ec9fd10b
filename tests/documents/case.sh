#!/usr/bin/env bash
# The documents hold what they say.
# case.sh tables|paths|links|readme|fidelity|fidelity-planted
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
case $1 in
tables) python3 tools render --check ;;
paths | links) python3 tests/documents/names.py "$1" ;;
fidelity) python3 tests/documents/fidelity.py check ;;
fidelity-planted) python3 tests/documents/fidelity.py planted ;;
readme)
  scripts/run.sh >"$CASE/run"
  # The indented block that begins as the output does.
  sed -nE '/^    attention for/,/^[^ ]/{ s/^    //p; /^$/p }' README.md |
    sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' >"$CASE/readme"
  [[ -s $CASE/readme ]] || fail "README shows no run"
  diff "$CASE/readme" "$CASE/run"
  ;;
esac
