#!/usr/bin/env bash
# Checks ptx-executed with ptxas: kernels of which it is known what they execute, and files
# that it must refuse. case.sh NAME
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
loop=ptx-interpreter/tests/executed/loop.ptx
# Threads of all launches together: 32, 2 of 64 and 96, the last two once more, with two seeds.
threads=960

# figures KEY SECOND: "FIRST SECOND" of that figure, the loop being the first file.
figures() {
  target/release/ptx-executed --json $loop "$2" | grep -o "\"$1\":[0-9]*" |
    cut -d: -f2 | paste -s -d ' '
}

expect() {
  [[ $1 == "$2" ]] || fail "$1 instead of $2"
  echo "$1"
}

# refused STATUS FILE: it must end with that status.
refused() {
  local rc=0
  target/release/ptx-executed $loop "$2" || rc=$?
  expect "exit $rc" "exit $1"
}

# Eight slots that hold zero, which only the launch tells. One is stored and one reloaded, and
# which ones the data tell: ptxas must leave that.
make_slots() {
  local zeros="mov.u32 %r7, %ctaid.z;" slots="" i access index
  for i in 0 8 16 24 32 40 48 56; do
    zeros+=" st.local.b32 [slots+$i], %r7;"
  done
  for access in "%r5 st.local.b32 [%rd1],%r7;" "%r6 ld.local.b32 %r8,[%rd1];"; do
    read -r index access <<<"$access"
    slots+=" and.b32 %r8, $index, 7; shl.b32 %r8, %r8, 3; cvt.u64.u32 %rd3, %r8;"
    slots+=" mov.b64 %rd1, slots; add.s64 %rd1, %rd1, %rd3; $access"
  done
  sed "s|// before|$zeros|; s|// inside|$slots add.s32 %r6, %r6, %r8;|" $loop >"$CASE/slots.ptx"
}
local_expected="0 $((threads * (8 + 2 * 10)))"

case $1 in
# Counted by hand: nine instructions, ten rounds of six, and one.
instructions) expect "$(figures ptx $loop)" "$((threads * 70)) $((threads * 70))" ;;
local-none) expect "$(figures local $loop)" "0 0" ;;
slots)
  make_slots
  expect "$(figures local "$CASE/slots.ptx")" "$local_expected"
  ;;
unrolled)
  # Two rounds at a time: as many accesses in fewer instructions.
  make_slots
  body=$(sed -n '/ROUND:/,/%r5, 1;/p' "$CASE/slots.ptx" | sed 1d | tr -d '\n\t')
  sed "s|^.ROUND:|&$body|" "$CASE/slots.ptx" >"$CASE/unrolled.ptx"
  expect "$(figures local "$CASE/unrolled.ptx")" "$local_expected"
  read -r first second < <(figures instructions "$CASE/slots.ptx")
  read -r first unrolled < <(figures instructions "$CASE/unrolled.ptx")
  ((unrolled < second && first < unrolled)) || fail "$unrolled instructions, $second before"
  ;;
another-result)
  sed 's/%r6, 5, %r5/%r6, 6, %r5/' $loop >"$CASE/ptx"
  refused 1 "$CASE/ptx"
  ;;
unknown-instruction)
  sed 's/mad.lo.s32/mad.lo.s31/' $loop >"$CASE/ptx"
  refused 2 "$CASE/ptx"
  ;;
*) fail "unknown case $1" ;;
esac
