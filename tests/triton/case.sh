#!/usr/bin/env bash
# Tests the Python package.
# case.sh package|standalone|without-llvm|wheel|wheel-tag|wheel-installed|wheel-inductor|VERSION_OF_TRITON
# or torch-VERSION
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
. tests/installed.sh
export WARPALLOC_COMMAND=$PWD/target/release/warpalloc-llc
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$PWD/python/src
program=target/standalone/warpalloc-llc
input=target/examples/sm_90/attention.bc

# run_pytest NAME PYTHON TESTS: pytest in one environment; python/tests leaves out what needs
# Triton or torch where they are missing.
run_pytest() {
  "$2" -m pytest -q -p no:cacheprovider --rootdir python --basetemp "$CASE/tests" \
    --junitxml "target/triton/$1.xml" "$3"
}

with_triton() {
  local python
  python=$(scripts/triton.sh "$1")
  run_pytest "$1" "$python" python/tests
}

# What needs no torch is tested with each Triton alone.
with_torch() {
  local python
  python=$(scripts/torch.sh "${1#torch-}")
  run_pytest "$1" "$python" python/tests/test_inductor.py
}

# The wheel, as make wheel makes it, in $SHARED/wheels.
make_wheel() {
  local python
  scripts/standalone.sh && python=$(scripts/triton.sh none) && rm -rf "$SHARED/wheels" &&
    "$python" -m pip wheel -q --disable-pip-version-check --no-deps -w "$SHARED/wheels" python/
}

# run_documented NAME: the commands below a heading of docs/triton.md as they stand there, in
# $CASE and one shell. The last two are an example, without and with warpalloc.
run_documented() {
  local repository=$PWD
  once wheel make_wheel
  mkdir -p "$CASE/target"
  ln -s "$SHARED/wheels" "$CASE/target/wheels"
  ln -s "$PWD/examples" "$CASE/examples"
  awk -v wanted="$1" -f tests/recipes/commands.awk docs/triton.md >"$CASE/commands"
  [[ -s $CASE/commands ]] || fail "no commands below the heading $1"
  cd "$CASE"
  # shellcheck disable=SC2016
  env -u WARPALLOC_COMMAND -u PYTHONPATH REPOSITORY="$repository" TRITON_HOME="$CASE" \
    bash -euo pipefail -c 'number=0
      while IFS= read -r command <&3; do
        echo "$command"
        eval "$command" >log 2>&1 3<&- || { cat log && exit 1; }
        cat log
        mv log log.$((++number))
      done 3<commands'
  local logs
  mapfile -t logs < <(printf '%s\n' log.* | sort -V | tail -n 2)
  ! grep -q "warpalloc's code" "${logs[0]}" || fail "warpalloc is at work without being asked"
  grep -q "warpalloc's code" "${logs[1]}" || fail "warpalloc is not at work"
}

# same OPTION...: the program without LLVM and llc with the plugin say and make the same.
same() {
  local way named="s/[^ ]*llc[-2]*: //g"
  for way in alone llc; do
    local command=$program status=0
    [[ $way == alone ]] || command=$WARPALLOC_COMMAND
    "$command" -mcpu=sm_90 -mattr=+ptx88 "$@" -o "$CASE/$way.ptx" 2>"$CASE/$way.log" || status=$?
    echo "status $status" >>"$CASE/$way.log"
  done
  diff <(sed "$named" "$CASE/alone.log") <(sed "$named" "$CASE/llc.log") ||
    fail "not the same is said of $*"
  if [[ -e $CASE/llc.ptx ]]; then
    cmp "$CASE/alone.ptx" "$CASE/llc.ptx" || fail "not the same is made of $*"
  fi
  [[ -e $CASE/llc.ptx || ! -e $CASE/alone.ptx ]] || fail "a file is written in spite of an error"
  rm -f "$CASE"/*.ptx
}

case $1 in
package) with_triton none ;;
standalone)
  once program scripts/standalone.sh
  documented_size warpalloc-llc "$program"
  gzip -9c "$program" >"$CASE/packed"
  documented_size gzip "$CASE/packed"
  rm "$CASE/packed"
  ! ldd "$program" | grep -E 'LLVM|stdc|zstd|libz' || fail "it needs libraries that are not everywhere"
  for file in target/examples/sm_90/*.bc; do
    same "$file"
    same "$file" -O3 -nvptx-regalloc-pressure-limit=48 -print-regalloc-stats
    same "$file" -nvptx-regalloc-pressure-limit=40 -warpalloc-spills=here -verify-regalloc
  done
  same "$input" -nvptx-regalloc-pressure-limit=3 -warpalloc-spills=here
  same "$input" -nvptx-regalloc-pressure-limit=64 -warpalloc-spills=here \
    -pass-remarks-analysis=warpalloc -pass-remarks-missed=warpalloc
  WARPALLOC_OPTIONS="-nvptx-regalloc-pressure-limit=64 -print-regalloc-stats" same "$input"
  # As cuda-oxide and Julia call their llc, and what they and scripts want of its version.
  same tests/recipes/files/cuda-oxide.ll -march=nvptx64 -fp-contract=fast \
    --nvvm-reflect-add=__CUDA_PREC_SQRT=1 --nvvm-reflect-add=__CUDA_PREC_DIV=1
  same tests/recipes/files/cuda-oxide.ll -march=nvptx64 -O0
  same tests/recipes/files/julia.ll -mtriple=nvptx64-nvidia-cuda -nvptx-fma-level=1 -filetype=asm
  "$program" -mcpu=sm_90 - -o - <tests/recipes/files/julia.ll >"$CASE/alone"
  "$WARPALLOC_COMMAND" -mcpu=sm_90 <tests/recipes/files/julia.ll >"$CASE/llc"
  cmp "$CASE/alone" "$CASE/llc" || fail "not the same from a pipe"
  "$program" --version >"$CASE/log"
  for pattern in '(^| )LLVM version 22\.' '^ *nvptx64 '; do
    grep -qE "$pattern" "$CASE/log" || fail "--version has no '$pattern': $(<"$CASE/log")"
  done
  # Beyond these the words are its own.
  for wrong in "$CASE/none.ll" "-warpalloc-spills=nobody $input" "-mtriple=x86_64 $input" \
    "-filetype=obj $input"; do
    read -ra words <<<"$wrong"
    ! "$program" "${words[@]}" -o "$CASE/wrong" 2>"$CASE/log" || fail "not refused: $wrong"
    [[ -s $CASE/log && ! -e $CASE/wrong ]] || fail "$wrong: no word, or a file"
  done
  ;;
without-llvm)
  # The programs of the wheel on a Debian 12 that has the C library, and nothing else: no LLVM,
  # no compiler, not even a shell.
  ((EUID == 0)) || declined "only root can make a Debian of its own"
  once wheel make_wheel
  root=$CASE/debian
  trap 'rm -rf "$root"' EXIT
  make_debian "$root" --variant=extract --include=libc6
  unneeded=$(find "$root" -name '*LLVM*' -o -name '*stdc++*' -o -name 'libz*' -o -path '*/bin/*sh')
  [[ -z $unneeded ]] || fail "there is more than the C library: $unneeded"
  python3 -m zipfile -e "$SHARED"/wheels/warpalloc-*.whl "$root/wheel"
  bin=/wheel/warpalloc/bin
  chmod +x "$root$bin"/*
  chroot "$root" "$bin/warpalloc" --version
  cp "$input" tests/recipes/files/julia.ll "$root"
  for file in "${input##*/}" julia.ll; do
    options=(-mcpu=sm_90 -mattr=+ptx88 -nvptx-regalloc-pressure-limit=40 -warpalloc-spills=here)
    chroot "$root" "$bin/warpalloc-llc" "${options[@]}" -print-regalloc-stats "/$file" -o /ptx 2>"$CASE/log"
    grep '^warpalloc: function=' "$CASE/log" || fail "nothing is allocated: $(<"$CASE/log")"
    "$WARPALLOC_COMMAND" "${options[@]}" "$root/$file" -o "$CASE/ptx"
    cmp "$CASE/ptx" "$root/ptx"
    .venv/bin/ptxas -arch=sm_90 "$root/ptx" -o "$CASE/cubin"
  done
  ;;
wheel-tag)
  # The C library that the file's name promises is enough, and an older one is not.
  once wheel make_wheel
  documented_size wheel "$SHARED"/wheels/warpalloc-*.whl
  audited=auditwheel==6.8.2 folder=target/triton/auditwheel
  python_environment "$folder" "$PWD $audited" \
    "$folder/bin/python" -m pip install -q --disable-pip-version-check "$audited"
  wheel=$(echo "$SHARED"/wheels/warpalloc-*.whl)
  honest() { "$folder/bin/python" tests/triton/wheel_tag.py "$1"; }
  honest "$wheel" || fail "the tag of $wheel is wrong"
  planted=$CASE/$(basename "$wheel" | sed -E 's/manylinux_2_[0-9]+/manylinux_2_17/')
  cp "$wheel" "$planted"
  ! honest "$planted" >"$CASE/log" 2>&1 || fail "a tag that is too old passes"
  grep -q 'promises too much' "$CASE/log" || fail "$(<"$CASE/log")"
  ;;
wheel-installed)
  # An environment of its own, into which pip brings what the wheel needs.
  run_documented without-a-gpu
  venv/bin/pip check
  # What the wheel has of its own is what was at work.
  env -i PATH=/nowhere "$PWD/venv/bin/python" -c "
import warpalloc.command
found = warpalloc.command.find()
assert found.startswith('$CASE/venv/'), found
print(warpalloc.command.run([found, '--version']))"
  ;;
wheel-inductor) run_documented inductor-without-a-gpu ;;
wheel)
  # As people have it: installed in a folder of packages, without LLVM, by a variable alone.
  once program scripts/standalone.sh
  python=$(scripts/triton.sh 3.6.0)
  "$python" -m pip wheel -q --disable-pip-version-check --no-deps -w "$CASE" python/
  "$python" -m pip install -q --disable-pip-version-check --no-deps --target "$CASE/packages" \
    "$CASE"/warpalloc-*.whl
  [[ -f $CASE/packages/warpalloc.pth ]] || fail "the wheel has no .pth file"
  for file in LICENSE LICENSES-OF-CRATES.txt NOTICE licences/{llvm-22,zlib1g,libzstd}-dev; do
    [[ -s $CASE/packages/warpalloc/$file ]] || fail "the wheel has no $file"
  done
  env -u WARPALLOC_COMMAND -u PYTHONPATH PATH=/nowhere WARPALLOC_TRITON=1 \
    TRITON_CACHE_DIR="$CASE/cache" "$python" -c "
import site, sys
site.addsitedir('$CASE/packages')
sys.path.append('python/tests')
import kernels, warpalloc, warpalloc.command
assert warpalloc.command.find().startswith('$CASE/packages/'), warpalloc.command.find()
kernel = kernels.compile_kernel('attention', 80, maxnreg=64, warpalloc=True)
assert kernel.metadata.warpalloc_used
print(warpalloc.command.find())"
  # The example has our code somewhere, and without the variable nowhere.
  for enabled in 1 0; do
    env -u WARPALLOC_COMMAND -u PYTHONPATH PATH=/usr/bin:/bin WARPALLOC_TRITON=$enabled \
      TRITON_CACHE_DIR="$CASE/cache$enabled" "$python" -c "
import runpy, site
site.addsitedir('$CASE/packages')
runpy.run_path('examples/triton/attention.py', run_name='__main__')" >"$CASE/log.$enabled"
    cat "$CASE/log.$enabled"
  done
  grep -q "warpalloc's code" "$CASE/log.1" || fail "warpalloc is not at work"
  ! grep -q "warpalloc's code" "$CASE/log.0" || fail "warpalloc is at work without being asked"
  ;;
torch-*) with_torch "$1" ;;
*) with_triton "$1" ;;
esac
