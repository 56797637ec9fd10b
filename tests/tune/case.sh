#!/usr/bin/env bash
# Checks warpalloc tune with real tools. case.sh NAME
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
input=target/examples/sm_90/attention.bc
cap=64
ptxas=.venv/bin/ptxas
# The cases share it, as they ask the same.
cache=$SHARED/cache

# tune OUTPUT ARGUMENT...
tune() {
  local output=$1
  shift
  target/release/warpalloc tune "$input" -o "$output" ${cap:+--cap $cap} --jobs 2 \
    --ptxas "$ptxas" --cache "$cache" "$@"
}

# accesses PTX: registers and local accesses of the only kernel, under the cap.
accesses() {
  .venv/bin/ptxas -v -arch=sm_90 -maxrregcount=$cap --override-directive-values \
    "$1" -o "$CASE/cubin" 2>&1 | ptxas_table | cut -d' ' -f2
  local_accesses "$CASE/cubin"
}

llc() { llc-22 -load="$PLUGIN" -mcpu=sm_90 -mattr=+ptx88 "$@"; }

# option NAME FILE: the option of the only kernel; "alternatives" are one for each line.
option() { python3 -c "import json, sys
print(json.load(open(sys.argv[2]))['choices'][0]['options'].get(sys.argv[1]))" "$1" "$2"; }

# two_kernels FILE: the example, and a kernel beside it that needs few registers.
two_kernels() {
  cat >"$CASE/small.ll" <<'END'
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @small(ptr addrspace(1) %p) {
  %v = load i32, ptr addrspace(1) %p
  %w = mul i32 %v, %v
  store i32 %w, ptr addrspace(1) %p
  ret void
}
END
  llvm-link-22 "$input" "$CASE/small.ll" -o "$1"
}

# refused PATTERN COMMAND...: it must fail with a message like this, and write nothing.
refused() {
  local pattern=$1
  shift
  ! "$@" >"$CASE/log" 2>&1 || fail "it is not refused: $*"
  grep -qE "^warpalloc tune: error: $pattern" "$CASE/log" || fail "no '$pattern' in: $(<"$CASE/log")"
  [[ ! -e $CASE/no.json ]] || fail "a file is written all the same"
  cat "$CASE/log"
}

case $1 in
example)
  # What llc makes with the choices has fewer accesses than stock, and no register more. A
  # file whose hash is that of other code brings nothing.
  tune "$CASE/c.json"
  llc "$input" -o "$CASE/stock.ptx"
  llc -regalloc=warpalloc -warpalloc-choices="$CASE/c.json" "$input" -o "$CASE/tuned.ptx"
  { read -r registers && read -r local; } < <(accesses "$CASE/stock.ptx")
  { read -r tuned_registers && read -r tuned_local; } < <(accesses "$CASE/tuned.ptx")
  ((tuned_registers <= registers && tuned_local < local)) ||
    fail "$tuned_local accesses in $tuned_registers registers, stock has $local in $registers"
  echo "$local accesses, $tuned_local with the choices"
  # 64 registers are 32 warps of an SM's 65,536; 48 are 40 warps.
  grep -q '"options": "pressure-limit=48 spills=here"' "$CASE/c.json" || fail "no step of warps below the cap"
  sed -E 's/"hash": "./"hash": "x/' "$CASE/c.json" >"$CASE/other.json"
  llc -regalloc=warpalloc -warpalloc-choices="$CASE/other.json" "$input" -o "$CASE/other.ptx"
  llc -regalloc=warpalloc "$input" -o "$CASE/none.ptx"
  cmp "$CASE/none.ptx" "$CASE/other.ptx"
  ;;
uncapped)
  # Registers are ptxas' to give: tried are the budgets at which more warps are resident. No
  # kernel takes warps or gets accesses by what is chosen.
  two_kernels "$CASE/two.bc"
  cap='' input=$CASE/two.bc
  tune "$CASE/c.json"
  llc "$input" -o "$CASE/stock.ptx"
  llc -regalloc=warpalloc -warpalloc-choices="$CASE/c.json" "$input" -o "$CASE/tuned.ptx"
  for code in stock tuned; do
    .venv/bin/ptxas -v -arch=sm_90 "$CASE/$code.ptx" -o "$CASE/$code.cubin" 2>&1 |
      ptxas_table | cut -d' ' -f1,2 | sort >"$CASE/$code"
    cat "$CASE/$code"
    [[ $(wc -l <"$CASE/$code") == 2 ]] || fail "not two kernels"
    local_accesses "$CASE/$code.cubin" >"$CASE/$code.local"
  done
  (($(<"$CASE/tuned.local") <= $(<"$CASE/stock.local"))) || fail "more accesses to local memory"
  while read -r name registers more; do
    ((more <= registers)) || fail "$name: $registers registers become $more"
  done < <(join "$CASE/stock" "$CASE/tuned")
  python3 - "$CASE/c.json" <<'END' || fail "what was tried is not in the file"
import json, sys
choices = {one["function"]: one for one in json.load(open(sys.argv[1]))["choices"]}
tried = [one["options"] for one in choices["attention"]["alternatives"]]
assert sum("pressure-limit" in one for one in tried) > 3, tried
for way in ("order=lists", "select=fatpoint", "disable=spill-reserve", "spill-space=shared"):
    assert any(way in one for one in tried), way
assert all(one["reason"] for one in choices.values())
END
  ;;
mixture)
  # What cannot be compiled together is stock's: here llc refuses files that give its kernels
  # different options.
  two_kernels "$CASE/two.bc"
  cat >"$CASE/llc" <<'END'
#!/usr/bin/env python3
import json, os, sys
files = [one.split("=", 1)[1] for one in sys.argv if one.startswith("-warpalloc-choices=")]
options = [one["options"] for file in files for one in json.load(open(file))["choices"]]
if any(one != options[0] for one in options):
    sys.exit("refused")
os.execvp("llc-22", sys.argv)
END
  chmod +x "$CASE/llc"
  input=$CASE/two.bc tune "$CASE/both.json"
  [[ $(option stock "$CASE/both.json") == None ]] || fail "nothing was chosen to begin with"
  input=$CASE/two.bc cache=$CASE/cache tune "$CASE/c.json" --llc "$CASE/llc"
  [[ $(option stock "$CASE/c.json") == True ]] || fail "what cannot be compiled is chosen"
  grep -q 'together with the others' "$CASE/c.json" || fail "the file does not say why"
  ;;
cached)
  # The second time ptxas is asked for its version alone, and the file is the same.
  tune "$CASE/c.json"
  printf '#!/bin/sh\necho "$1" >>"%s"\nexec "%s" "$@"\n' "$CASE/calls" "$PWD/$ptxas" >"$CASE/ptxas"
  chmod +x "$CASE/ptxas"
  ptxas=$CASE/ptxas tune "$CASE/again.json" --nvdisasm .venv/bin/nvdisasm
  cmp "$CASE/c.json" "$CASE/again.json"
  [[ $(sort -u "$CASE/calls") == --version ]] || fail "ptxas runs: $(sort "$CASE/calls" | uniq -c)"
  # Another cap is another question.
  cap=65 ptxas=$CASE/ptxas tune "$CASE/again.json" --nvdisasm .venv/bin/nvdisasm
  grep -q -- -v "$CASE/calls" || fail "another cap has the same answers"
  ;;
text)
  # The same module as text: the same choices, made of a file of another name. Text that says
  # nothing of the order of uses is compiled in another order, by stock as well, so figures
  # may differ; the hash does not.
  llvm-dis-22 -preserve-ll-uselistorder "$input" -o "$CASE/attention.ll"
  llvm-dis-22 "$input" -o "$CASE/plain.ll"
  for file in "$input" "$CASE"/{attention,plain}.ll; do
    llc -regalloc=warpalloc -warpalloc-print-hashes "$file" -o "$CASE/ptx" 2>&1
  done | tee "$CASE/hashes"
  [[ $(grep -c ' hash=' "$CASE/hashes") == 3 && $(sort -u "$CASE/hashes" | wc -l) == 1 ]] ||
    fail "another hash"
  tune "$CASE/bitcode.json"
  input=$CASE/attention.ll tune "$CASE/text.json"
  python3 - "$CASE"/{bitcode,text}.json <<'END' || fail "$(diff "$CASE"/{bitcode,text}.json)"
import json, sys
bitcode, text = (json.load(open(file)) for file in sys.argv[1:])
assert (bitcode.pop("made_of"), text.pop("made_of")) == ("attention.bc", "attention.ll")
assert all(one["hash"] for one in text["choices"])
assert bitcode == text
END
  ;;
progress)
  # A bar on a terminal, and nothing of it where the standard error is a file.
  tune "$CASE/c.json" >"$CASE/said" 2>"$CASE/errors"
  [[ ! -s $CASE/errors ]] || fail "without a terminal it writes: $(<"$CASE/errors")"
  command=(target/release/warpalloc tune "$input" -o "$CASE/c.json" --cap "$cap" --jobs 2
    --ptxas "$ptxas" --cache "$cache")
  TERM=xterm script -qec "${command[*]@Q} >'$CASE/said.again'" "$CASE/terminal" >/dev/null
  cmp "$CASE/said" "$CASE/said.again"
  grep -qE '[0-9]+/[0-9]+ variants' "$CASE/terminal" || fail "no bar: $(cat -v "$CASE/terminal")"
  ;;
spoilt-cache)
  tune "$CASE/c.json"
  cp -r "$cache" "$CASE/cache"
  for file in "$CASE"/cache/*.json; do echo '{' >"$file"; done
  cache=$CASE/cache tune "$CASE/again.json"
  cmp "$CASE/c.json" "$CASE/again.json"
  ;;
timed)
  # A timing that likes what stands in this PTX, whatever the figures say.
  cat >"$CASE/time" <<'END'
[ -s "$1" ] && [ -s "$2" ] && [ "$3" = attention ] || exit 1
if grep -q warpalloc_spill_space "$1"; then echo 9; elif grep -q 'st.local' "$1"; then echo 1; else echo 5; fi
END
  tune "$CASE/c.json" --time "sh $CASE/time"
  [[ $(option spill-space "$CASE/c.json") == None ]] || fail "shared memory in spite of its time"
  [[ $(option spills "$CASE/c.json") =~ ^(auto|here)$ ]] || fail "stock in spite of its time"
  grep -q '"time": 9.0' "$CASE/c.json" || fail "no times in the file"
  ;;
wrong-time)
  refused 'the timing command printed no number' tune "$CASE/no.json" --time 'echo slow #'
  ;;
missing-tools)
  ptxas=/nowhere/ptxas refused 'cannot run /nowhere/ptxas: ' tune "$CASE/no.json" \
    --nvdisasm .venv/bin/nvdisasm
  refused 'cannot run /nowhere/llc: ' tune "$CASE/no.json" --llc /nowhere/llc
  refused 'cannot run /nowhere/nvdisasm: ' tune "$CASE/no.json" --nvdisasm /nowhere/nvdisasm
  refused '/nowhere/plugin.so: ' tune "$CASE/no.json" --plugin /nowhere/plugin.so
  refused 'WARPALLOC_LLC is /nowhere/llc, which is no file' env WARPALLOC_LLC=/nowhere/llc \
    target/release/warpalloc tune "$input" -o "$CASE/no.json" --ptxas "$ptxas"
  refused 'ptxas is not on the path; name it with --ptxas' env PATH=/usr/bin:/bin \
    target/release/warpalloc tune "$input" -o "$CASE/no.json"
  ;;
bad-input)
  echo 'define ptx_kernel void @k() {' >"$CASE/broken.ll"
  echo 'target triple = "nvptx64-nvidia-cuda"' >"$CASE/empty.ll"
  input=$CASE/broken.ll refused '.*llc.* failed: .*error: ' tune "$CASE/no.json"
  input=$CASE/empty.ll refused '.*empty.ll has no kernels' tune "$CASE/no.json"
  input=$CASE/none.ll refused '.*none.ll: No such file' tune "$CASE/no.json"
  refused "'gfx90' is no processor" tune "$CASE/no.json" --sm gfx90
  refused '.*no-folder/c.json: No such file' tune "$CASE/no-folder/c.json"
  ;;
*) fail "unknown case $1" ;;
esac
