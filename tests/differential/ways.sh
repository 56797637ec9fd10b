# shellcheck shell=bash disable=SC2034
# Sourced by case.sh: the ways in which warpalloc is run, the processors, and the comparison
# of one program in all ways.

# The ways: name and llc's options. Each is compared with greedy at -O2, so what
# changes instruction selection (-O0) must leave the program's meaning alone.
# With -warpalloc-class-limit only the first registers of each class are used; there,
# and nowhere else, a program may be declined.
ways=(
  "default"
  "own-coalescing -join-liveintervals=false"
  "conservative -join-liveintervals=false -warpalloc-disable=optimistic-coalesce"
  "plain -warpalloc-disable=coalesce,hints"
  "fatpoint -warpalloc-select=fatpoint"
  "cicc -warpalloc-profile=cicc -join-liveintervals=false"
  "ptxas -warpalloc-profile=ptxas"
  "lists -warpalloc-order=lists"
  "ptxas-six -warpalloc-profile=ptxas -warpalloc-class-limit=6"
  "cicc-six -warpalloc-profile=cicc -warpalloc-class-limit=6"
  "lists-six -warpalloc-order=lists -warpalloc-class-limit=6"
  "unoptimised -O0 -optimize-regalloc"
  "eight -warpalloc-class-limit=8"
  "six -warpalloc-class-limit=6"
  "fatpoint-six -warpalloc-select=fatpoint -warpalloc-class-limit=6"
  "four -warpalloc-class-limit=4 -join-liveintervals=false"
  "refused-folds -warpalloc-refuse-folds -warpalloc-class-limit=6"
)

# target ARCH: sets how to compile, link and run for it. "run" is what executes it
# (nothing: this machine does).
target() {
  back=()
  case $1 in
  x86_64) front=() link=(gcc -no-pie) run=() vector=() ;;
  aarch64)
    front=(-isystem /usr/aarch64-linux-gnu/include) vector=()
    link=(aarch64-linux-gnu-gcc -static) run=(qemu-aarch64)
    ;;
  riscv64)
    front=(-march=rv64gc -isystem /usr/riscv64-linux-gnu/include)
    back=("-mattr=+m,+a,+f,+d,+c" -target-abi=lp64d) vector=("-mattr=+v")
    link=(riscv64-linux-gnu-gcc -static)
    run=(qemu-riscv64 -cpu "rv64,v=true,vlen=128,vext_spec=v1.0")
    ;;
  *) fail "unknown processor $1" ;;
  esac
  if [[ $1 == x86_64 ]] && grep -qw avx2 /proc/cpuinfo; then vector=("-mattr=+avx2"); fi
  front+=("--target=$1-linux-gnu" -w -ffp-contract=off)
}

# build BASE LLC-OPTIONS...: BASE.bc becomes BASE.exe. "link" may name more objects.
build() {
  local base=$1 level=(-O2)
  shift
  [[ " $* " != *" -O0 "* ]] || level=()
  llc-22 "${level[@]}" -relocation-model=static "${back[@]}" "$@" "$base.bc" -filetype=obj \
    -o "$base.o" && "${link[@]}" "$base.o" "${objects[@]}" -o "$base.exe" "${libraries[@]}"
}
objects=() libraries=() arguments=() limit=5 # seconds

# observe SECONDS BASE OUTPUT: what it prints, and how it ends. Fails if not well.
observe() {
  local status=0
  # The braces keep the shell from reporting crashes itself.
  { timeout "$1" "${run[@]}" "$2.exe" "${arguments[@]}" >"$3" 2>&1; } 2>/dev/null || status=$?
  echo "exit $status" >>"$3"
  ((status == 0))
}

# reference BASE: builds BASE.bc with greedy, with optimisation and without, and runs
# both. Fails if they do not agree: such a program has undefined behaviour, crashes,
# runs for too long, or does not compile. (The fast allocator of -O0 cannot judge: in
# asm.c it loses results of asm goto.) Sets "verify": the checkers, which both run
# LLVM's verifier, are left out where that rejects greedy's code as well.
reference() {
  local base=$1
  verify=(-verify-regalloc -verify-machineinstrs)
  {
    build "$base" -O0 -optimize-regalloc -verify-machineinstrs || {
      verify=()
      build "$base" -O0 -optimize-regalloc
    }
    observe "$limit" "$base" "$base.actual" &&
      build "$base" && observe "$limit" "$base" "$base.expected"
  } 2>"$base.log" && cmp -s "$base.expected" "$base.actual"
}

# select_ways NUMBER: leaves the first way and one other.
select_ways() {
  ways=("${ways[0]}" "${ways[1 + $1 % (${#ways[@]} - 1)]}")
}

# compare BASE: builds and runs BASE.bc in all ways. Prints a line "ok WAY", "declined ..." or
# "FAIL ..." for each. Fails if one has.
compare() {
  local base=$1 way title options failed=0
  for way in "${ways[@]}"; do
    read -r title options <<<"$way"
    # shellcheck disable=SC2046,SC2086
    if ! build "$base" $(warpalloc_here) "${verify[@]}" $options \
      2>"$base.log"; then
      # Calls that fill the few registers that are left cannot be allocated.
      if [[ $options == *class-limit* ]] && grep -q "ran out of registers" "$base.log"; then
        echo "declined $title"
        continue
      fi
      failed=1
      echo "FAIL $title: $(grep -m1 error "$base.log" || tail -1 "$base.log")"
    elif ! observe 60 "$base" "$base.actual" || ! cmp -s "$base.expected" "$base.actual"; then
      failed=1
      echo "FAIL $title: it prints something else"
    else
      echo "ok $title"
    fi
  done
  ((failed == 0))
}
