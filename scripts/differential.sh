#!/usr/bin/env bash
# Compiles CPU programs with LLVM's greedy allocator and with warpalloc in several
# ways, all checkers on, runs them and compares what they print.
# usage: differential.sh [x86_64|aarch64|riscv64 ...]      (default: all three)
# Environment:
#   PARTS  programs: those of differential-programs, one for each feature
#          csmith: random programs    stress: random functions of llvm-stress
#          corpus: SQLite, Lua, zlib, bzip2, LZ4  (default: "programs csmith stress")
#   FIRST  the first seed of csmith and stress (default 1)
#   COUNT  seeds for x86_64 (default 10; a fifth as many for the others, which run
#          under qemu-user)
#   ALL    seeds up to this are compared in all ways, later ones in the first way and
#          one of the others in turn (default 100; all ways take about 3 s of one core
#          for a program, two take about 1 s)
#   JOBS   processes at once (default: as many as processors)
# The ways are in scripts/differential/ways.sh. What fails is kept in
# target/differential/ARCH.*.bc.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/differential/ways.sh"
(($#)) || set -- x86_64 aarch64 riscv64
parts=${PARTS:-programs csmith stress} first=${FIRST:-1} count=${COUNT:-10}
here=scripts/differential
need_plugin
mkdir -p $out

# jobs ARCH...: one command a line.
jobs() {
  local arch part program seed n
  for part in $parts; do
    for arch; do
      n=$count
      [[ $arch == x86_64 ]] || n=$(((count + 4) / 5))
      case $part in
      programs)
        for program in differential-programs/*.{c,cpp,ll} "differential-programs/$arch"/*.{c,ll}; do
          [[ ! -f $program ]] || echo "$here/program.sh $arch $program"
        done
        ;;
      csmith | stress)
        for ((seed = first; seed < first + n; seed++)); do echo "$here/$part.sh $arch $seed"; done
        ;;
      corpus) for program in zlib bzip2 lz4 lua sqlite; do echo "$here/corpus.sh $arch $program"; done ;;
      *) echo "differential: unknown part $part" >&2 && return 2 ;;
      esac
    done
  done
}

[[ " $parts " != *" corpus "* ]] || for arch; do benches/cpu_corpus.sh "$arch"; done
# csmith writes platform.info where it finds none, and fails where another is just writing it.
[[ " $parts " != *" csmith "* ]] || (cd $out && csmith --seed 1 >/dev/null)
jobs "$@" >$out/jobs
broken=0
xargs -P "${JOBS:-$(nproc)}" -L 1 nice <$out/jobs >$out/results || broken=1

grep '^FAIL' $out/results || true
# A result reads "ok|declined|skip|FAIL ARCH PART PROGRAM ...".
awk '{ row = $2 " " $3; rows[row]; n[row, $1]++ }
  END {
    for (row in rows)
      printf "%-18s %6d passed, %3d failed, %4d declined with a cut register file, %3d left out\n",
        row, n[row, "ok"], n[row, "FAIL"], n[row, "declined"], n[row, "skip"]
  }' $out/results | sort
failed=$(grep -c '^FAIL' $out/results || true)
passed=$(grep -c '^ok' $out/results || true)
if ((broken)); then
  echo "FAIL a script ended badly"
  ((++failed))
fi
echo
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
