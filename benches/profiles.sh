#!/usr/bin/env bash
# Every profile with both selects at several budgets, checked symbolically: what
# allocates, what is declined with a clear error, and how many registers are used for
# what is live (used.R against maxlive.R without a limit).
# usage: profiles.sh [DIRECTORY]      (of .ll and .bc files; default: the examples)
# A file LLC_FLAGS in DIRECTORY has more options for llc.
# Environment: SM of the files in DIRECTORY (90), PROFILES, SELECTS, LIMITS, JOBS (2).
# Exit code 1 if something crashed, was wrong or gave no clear error, or if a bound of
# profiles.py is missed.
set -euo pipefail
if (($#)); then DIRECTORY=$(realpath "$1"); fi
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"
need_plugin
export OUT=target/profiles
rm -rf $OUT
mkdir -p $OUT

# run SM FILE NAME PROFILE SELECT LIMIT: leaves the statistics and the exit code.
run() {
  local sm=$1 file=$2 out=$OUT/$4.$5.$6 code=0
  mkdir -p "$out"
  # shellcheck disable=SC2046
  nice timeout 600 llc-22 -O2 "-mcpu=sm_$sm" -mattr=+ptx88 $(warpalloc_here) \
    -verify-regalloc -print-regalloc-stats "-warpalloc-profile=$4" "-warpalloc-select=$5" \
    "-nvptx-regalloc-pressure-limit=$6" "$file" -o /dev/null 2>"$out/$3.log" || code=$?
  echo $code >"$out/$3.code"
}
if [[ -f ${DIRECTORY:-}/LLC_FLAGS ]]; then
  WARPALLOC_FLAGS="${WARPALLOC_FLAGS:-} $(tr '\n' ' ' <"$DIRECTORY/LLC_FLAGS")"
fi
export -f run warpalloc warpalloc_here
export WARPALLOC_FLAGS=${WARPALLOC_FLAGS:-}
export PLUGIN

# files: a line "SM FILE NAME" for each.
files() {
  local file name
  if [[ -n ${DIRECTORY:-} ]]; then
    find "$DIRECTORY" -name '*.ll' -o -name '*.bc' | sort | while read -r file; do
      name=${file#"$DIRECTORY"/}
      echo "${SM:-90} $file ${name//\//-}"
    done
    return
  fi
  scripts/compile_examples.sh 90
  for file in target/examples/sm_90/*.bc; do
    echo "90 $file $(basename "$file" .bc)"
  done
  for name in "80 mma_sync" "90a wgmma" "70 wmma"; do
    read -r SM name <<<"$name"
    file=$OUT/$name.bc
    clang-22 -x cuda --cuda-device-only -nocudainc -nocudalib -std=c++17 -O2 \
      "--cuda-gpu-arch=sm_$SM" --cuda-feature=+ptx88 -emit-llvm -c \
      "examples/tensor/$name.cu" -o "$file"
    echo "$SM $file $name"
  done
}

files >$OUT/files
while read -r line; do
  for profile in ${PROFILES:-auto ptxas cicc}; do
    for select in ${SELECTS:-graph fatpoint}; do
      for limit in ${LIMITS:-255 128 64 32}; do
        echo "$line $profile $select $limit"
      done
    done
  done
done <$OUT/files | xargs -P "${JOBS:-2}" -L 1 bash -c 'run "$@"' _
benches/profiles.py $OUT
