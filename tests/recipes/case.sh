#!/usr/bin/env bash
# Runs the commands of one heading of docs/recipes.md, and looks at what they have made.
# case.sh NAME|every-heading|transcripts
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
. tests/installed.sh
once installed install_and_move
once cuda make_cuda_root
repository=$PWD
commands() {
  awk -v wanted="$1" -f "$repository/tests/recipes/commands.awk" "$repository/${2:-docs/recipes.md}"
}

# shown FILE: the commands of transcripts, each behind the name of its heading.
shown() {
  local name
  awk -v prompt='$ ' -f tests/recipes/commands.awk "$1" | while read -r name; do
    awk -v prompt='$ ' -v wanted="$name" -f tests/recipes/commands.awk "$1" | sed "s|^|$name: |"
  done
}

case $1 in
every-heading)
  # What has commands has a case.
  diff <(commands '' | sort) <(tr ' ' '\n' <<<"$RECIPES" | sort)
  exit
  ;;
transcripts)
  # docs/transcripts.md shows the commands that stand in the documents now.
  scripts/transcripts.sh --sections | while read -r document name; do
    commands "$name" "$document" | sed "s|^|$name: |"
  done >"$CASE/documents"
  shown docs/transcripts.md >"$CASE/transcripts"
  [[ -s $CASE/documents ]] || fail "no commands"
  diff "$CASE/documents" "$CASE/transcripts" || fail "run make transcripts"
  exit
  ;;
esac
cp -r examples/cmake/. tests/recipes/files/. "$CASE"
case $1 in
rust-*)
  llvm=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
  ((llvm <= 22)) || declined "LLVM 22 does not read the bitcode of this rustc's LLVM $llvm"
  ;;&
rust-for-nvptx64)
  # The kernel brings its own language items, which are another compiler's own affair.
  RUSTC_BOOTSTRAP=1 rustc --edition=2024 --target=nvptx64-nvidia-cuda --crate-type=lib \
    --emit=metadata --out-dir "$CASE" "$CASE/kernel.rs" >"$CASE/log" 2>&1 ||
    declined "the kernel is for another rustc: $(<"$CASE/log")"
  ;;
the-debian-package)
  ((EUID == 0)) || declined "only root can make a Debian of its own"
  debian=$CASE/debian
  trap 'rm -rf "$debian"' EXIT
  make_debian "$debian" --variant=apt --include=llvm-22,clang-22
  deb=$(scripts/package.sh deb)
  mkdir "$debian/work"
  cp -r examples/cmake/. "$deb" "$debian/work"
  ;;
esac
commands "$1" >"$CASE/commands.sh"
[[ -s $CASE/commands.sh ]] || fail "no commands below the heading $1"
cd "$CASE"
unset CC CXX CFLAGS CXXFLAGS LDFLAGS CPATH MAKEFLAGS
export WARPALLOC=$INSTALLED REPOSITORY=$repository CUDA WARPALLOC_LOG=info
case $1 in
the-debian-package)
  cp commands.sh "$debian/work"
  inside "$debian" env -C /work WARPALLOC_LOG=info bash -euo pipefail commands.sh
  ;;
*) bash -euo pipefail commands.sh ;;
esac >log 2>&1 || fail "$(tail -n 40 log)"

# The program prints what it should.
prints() {
  [[ $("./$1") == $'1: 10\n2: 30\n3: 100\n4: 354' ]] || fail "$1 prints $("./$1")"
}

# One kernel of the PTX has the budget.
within_budget() {
  [[ $(grep -c '^\.maxnreg 64' "$1") == 1 ]] || fail "$1 has no budget: $(grep -E 'entry|maxnreg' "$1")"
}

# The same of the PTX in an object file.
object_within_budget() {
  "$repository/.venv/bin/cuobjdump" -ptx "$1" >ptx
  within_budget ptx
}

# The budgets of kernels in an object file: "NAME REGISTERS" for each that has one.
budgets() {
  "$repository/.venv/bin/cuobjdump" -ptx "$1" |
    awk '/\.entry/ { name = $3 } /\.maxnreg/ { print name, $2 }' | tr -d '(' | sort
}

case $1 in
make-install | the-tarball)
  allocated log sum_of_powers main
  prints powers
  grep -qE "^warpalloc $(cd "$repository" && version) \(built for LLVM 22\." log || fail "no version: $(<log)"
  ;;
the-debian-package)
  allocated log sum_of_powers main
  prints debian/work/powers
  grep -qE "^warpalloc $(cd "$repository" && version) \(built for LLVM 22\." log || fail "no version: $(<log)"
  ;;
c-and-c)
  allocated log sum_of_powers main
  prints powers
  ;;
warnings-as-errors)
  allocated log sum_of_powers main
  prints powers
  ! grep -q 'warning:' log || fail "$(<log)"
  ;;
assembly-files)
  [[ $(grep -c 'function="sum_of_powers"' log) == 2 ]] || fail "$(<log)"
  # What the document says of the other form.
  ! clang-22 -fplugin="$INSTALLED/lib/libwarpalloc.so" -mllvm -regalloc=warpalloc -c first.S 2>log ||
    fail "-mllvm alone works, too"
  grep -q "Cannot find option named 'warpalloc'" log || fail "$(<log)"
  ;;
link-time-optimisation)
  [[ $(grep -c 'function="main"' log) == 2 ]] || fail "$(<log)"
  prints powers
  prints powers-thin
  ;;
cuda-device-side)
  object_within_budget kernel.o
  ! grep -q 'function="main"' log || fail "the host's side is allocated, too"
  ;;
cuda-both-sides)
  object_within_budget kernel.o
  allocated log main
  ;;
cuda-link-time-optimisation)
  within_budget kernel.nvptx64.sm_90.s
  [[ -x kernel ]] || fail "no program"
  ;;
llc-by-hand)
  within_budget kernel.ptx
  "$repository/.venv/bin/ptxas" -arch=sm_90 kernel.ptx -o kernel.cubin
  allocated log sum_of_powers
  prints powers
  ;;
rust-on-the-cpu)
  allocated log sum_of_powers
  prints powers
  ;;
rust-for-nvptx64)
  within_budget kernel.ptx
  "$repository/.venv/bin/ptxas" -arch=sm_90 kernel.ptx -o kernel.cubin
  ;;
cuda-oxide)
  # Its check of llc: exit status 0, and this on the standard output.
  grep -qE '(^| )LLVM version 22\.' log || fail "cuda-oxide would not know the version: $(<log)"
  for name in kernel debug; do
    within_budget $name.ptx
    "$repository/.venv/bin/ptxas" -arch=sm_90 $name.ptx -o $name.cubin
  done
  # As --nvvm-reflect-add and -fp-contract ask for it.
  grep -qF sqrt.rn.f32 kernel.ptx || fail "the square root is not the precise one"
  grep -qF fma.rn.f32 kernel.ptx || fail "products and sums are not contracted"
  ;;
julia)
  within_budget kernel.ptx
  # The lower one of two budgets.
  [[ $(grep -c '^\.maxnreg 40' kernel.ptx) == 1 ]] || fail "$(grep -E 'entry|maxnreg' kernel.ptx)"
  "$repository/.venv/bin/ptxas" -arch=sm_90 kernel.ptx -o kernel.cubin
  # What llc says becomes a warning: it should say nothing.
  WARPALLOC_OPTIONS=-nvptx-regalloc-pressure-limit=64 "$INSTALLED/bin/warpalloc-llc" julia.bc \
    -mcpu=sm_90 -mattr=+ptx88 -o silent.ptx >log 2>&1
  [[ ! -s log ]] || fail "it says: $(<log)"
  ;;
autoconf-and-make)
  allocated log sum_of_powers main
  prints powers
  ;;
cmake)
  allocated log sum_of_powers main
  prints build/example
  grep -q 'check-warpalloc: CXX: warpalloc allocates' log || fail "$(<log)"
  ;;
cmake-with-cuda)
  kernels=build/CMakeFiles/kernels.dir/kernels.cu.o resident=build/CMakeFiles/resident.dir/kernels.cu.o
  [[ $(budgets $kernels) == '_Z5scalePff 64' ]] || fail "budgets are $(budgets $kernels)"
  [[ $(budgets $resident) == $'_Z3addPfPKf 40\n_Z5scalePff 40' ]] || fail "budgets are $(budgets $resident)"
  ;;
*) fail "unknown case $1" ;;
esac
