#!/usr/bin/env bash
# Checks ptx-executed with ptxas: kernels of which it is known what they execute, and files
# that it must refuse. Prints a line for each check.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
out=target/executed-test
loop=ptx-interpreter/tests/executed/loop.ptx
# Threads of all launches together: 32, 2 of 64 and 96, the last two once more, with two seeds.
threads=960
cargo build --quiet --release -p ptx-interpreter
mkdir -p $out
passed=0 failed=0

report() {
  if [[ $2 == "$3" ]]; then
    ((++passed))
    echo "$1: ok, $2"
  else
    ((++failed))
    echo "$1: FAIL, $2 instead of $3"
  fi
}

# figures KEY SECOND: "FIRST SECOND" of that figure, the loop being the first file.
figures() {
  target/release/ptx-executed --json $loop "$2" | grep -o "\"$1\":[0-9]*" |
    cut -d: -f2 | paste -s -d ' '
}

# What is counted by hand: nine instructions, ten rounds of six, and one.
report "PTX instructions" "$(figures ptx $loop)" "$((threads * 70)) $((threads * 70))"
report "no local access" "$(figures local $loop)" "0 0"

# Eight slots that hold zero, which only the launch tells. One is stored and one reloaded, and
# which ones the data tell: ptxas must leave that.
zeros="mov.u32 %r7, %ctaid.z;" slots=""
for i in 0 8 16 24 32 40 48 56; do
  zeros+=" st.local.b32 [slots+$i], %r7;"
done
for access in "%r5 st.local.b32 [%rd1],%r7;" "%r6 ld.local.b32 %r8,[%rd1];"; do
  read -r index access <<<"$access"
  slots+=" and.b32 %r8, $index, 7; shl.b32 %r8, %r8, 3; cvt.u64.u32 %rd3, %r8;"
  slots+=" mov.b64 %rd1, slots; add.s64 %rd1, %rd1, %rd3; $access"
done
sed "s|// before|$zeros|; s|// inside|$slots add.s32 %r6, %r6, %r8;|" $loop >$out/inside.ptx
report "slots, stored once before the loop" "$(figures local $out/inside.ptx)" "0 $((threads * (8 + 2 * 10)))"

# Two rounds at a time: as many accesses in fewer instructions.
body=$(sed -n '/ROUND:/,/%r5, 1;/p' $out/inside.ptx | sed 1d | tr -d '\n\t')
sed "s|^.ROUND:|&$body|" $out/inside.ptx >$out/unrolled.ptx
report "slots in an unrolled loop" "$(figures local $out/unrolled.ptx)" \
  "0 $((threads * (8 + 2 * 10)))"
read -r first second < <(figures instructions $out/inside.ptx)
read -r first unrolled < <(figures instructions $out/unrolled.ptx)
report "unrolled, fewer instructions" "$((unrolled < second && first < unrolled))" 1

# refused NAME STATUS FILE: it must end with that status.
refused() {
  local rc=0
  target/release/ptx-executed $loop "$3" >$out/refused.log 2>&1 || rc=$?
  report "$1" "exit $rc" "exit $2"
}
sed 's/%r6, 5, %r5/%r6, 6, %r5/' $loop >$out/different.ptx
refused "another result" 1 $out/different.ptx
sed 's/mad.lo.s32/mad.lo.s31/' $loop >$out/unknown.ptx
refused "an unknown instruction" 2 $out/unknown.ptx

echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
