#!/usr/bin/env bash
# Writes the transcripts: what the commands of the documents print, as they stand there, run
# here. A second run writes the same.
# usage: transcripts.sh [FILE]      (default: docs/transcripts.md)
#        transcripts.sh --sections  prints the documents and the names of the headings
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
commands_of() { awk -v wanted="$2" "${@:3}" -f tests/recipes/commands.awk "$1"; }
sections() {
  commands_of docs/recipes.md '' | sed 's|^|docs/recipes.md |'
  echo docs/choices.md warpalloc-tune
  echo docs/triton.md without-a-gpu
  echo docs/triton.md inductor-without-a-gpu
}
if [[ ${1:-} == --sections ]]; then
  sections
  exit
fi
file=$(realpath "${1:-docs/transcripts.md}")
RUN=$$ SHARED=$PWD/target/transcripts
. tests/common.sh
. tests/installed.sh
need_plugin
compgen -G "target/wheels/warpalloc-*.whl" >/dev/null || {
  echo "there is no wheel: run make wheel" >&2
  exit 1
}
most=12 # lines that are shown of what one command prints
width=200
((EUID == 0)) || {
  echo "only root can install the Debian package, in a Debian of its own" >&2
  exit 1
}

# neutral FOLDER: without what differs from run to run or is this machine's alone: paths,
# times, blanks at the end. Of a line that is written over and over the last state stays. Long
# lines are cut.
neutral() {
  sed -E -e "s|$INSTALLED|\$WARPALLOC|g; s|$CUDA|\$CUDA|g; s|$1|\$PWD|g; s|$PWD|\$REPOSITORY|g" \
    -e 's/ (\(|in )[0-9.]+s\)?$//; s/\r$//; s/.*\r//; s/[ \t]+$//' -e "s/^(.{$width}).+/\1 .../"
}

# The first and the last lines of more than are shown.
shortened() {
  awk -v most=$most '{ line[NR] = $0 }
    END {
      first = NR > most ? int(most / 2) : NR
      for (n = 1; n <= first; n++) print line[n]
      if (first == NR) exit
      last = NR - (most - first - 1)
      printf "[%d lines more]\n", last - first
      for (n = last + 1; n <= NR; n++) print line[n]
    }'
}

# section DOCUMENT NAME FOLDER [COMMAND...]: a heading and its commands, each with what it
# prints. They run in the folder and in one shell, which the command starts; if it starts it
# in a $root of its own, paths are those there.
section() {
  local document=$1 name=$2 folder=$3 number=0 command there
  there=${folder#"${root:-}"}
  shift 3
  echo "$document: $name" >&2
  commands_of "$document" "$name" >"$folder.commands"
  (
    cd "$folder"
    unset CC CXX CFLAGS CXXFLAGS LDFLAGS CPATH MAKEFLAGS MFLAGS MAKELEVEL
    unset WARPALLOC_OPTIONS WARPALLOC_LLC
    export WARPALLOC=$INSTALLED REPOSITORY=$OLDPWD CUDA WARPALLOC_LOG=info LC_ALL=C.UTF-8
    # shellcheck disable=SC2016
    "$@" bash -euo pipefail -c 'number=0
      while IFS= read -r command <&3; do
        eval "$command" >"$1.$((++number))" 2>&1 3<&-
      done 3<"$1"' bash "$there.commands" </dev/null
  ) || {
    tail -n 40 "$folder".commands.* >&2
    fail "a command of $document, $name, fails" >&2
  }
  echo
  commands_of "$document" "$name" -v heading=1
  echo
  [[ $document == docs/recipes.md ]] || printf 'Of [%s](%s):\n\n' "${document##*/}" "${document##*/}"
  while IFS= read -r command; do
    ((++number))
    echo "    \$ $command"
    neutral "$there" <"$folder.commands.$number" | shortened | sed 's/^./    &/'
  done <"$folder.commands"
}

# version_of NAME: of a program, as the transcripts name it.
version_of() {
  case $1 in
  llvm) "$LLVM/llc" --version | sed -n 's/.*LLVM version //p' ;;
  rust) rustc --version | cut -d' ' -f2 ;;
  cmake) cmake --version | sed -n 's/^cmake version //p' ;;
  ptxas) .venv/bin/ptxas --version | sed -n 's/.*release [0-9.]*, V//p' ;;
  esac
}

all() {
  local document name folder root
  cat <<END
# Transcripts

What the commands of the [recipes](recipes.md), of [\`warpalloc tune\`](choices.md) and of [Triton](triton.md) print, with LLVM $(version_of llvm), Rust $(version_of rust), CMake $(version_of cmake) and ptxas $(version_of ptxas). \`make transcripts\` runs them and writes this file, a test holds its commands against those of the documents. Paths of the machine are replaced by variables, long lines and outputs are cut.

\`WARPALLOC_LOG=info\` is set: each function whose registers are given is named. A kernel that is left to ptxas is not among them; its \`.maxnreg\` shows the budget that it has on its way.

The Debian package is installed in a Debian 12 of its own, which has \`llvm-22\` and \`clang-22\`; only root can run that. Inductor compiles for a stand-in of a GPU, and Triton for none: no kernel runs here.
END
  sections | while read -r document name; do
    root=''
    [[ $name != the-debian-package ]] || root=$SHARED/debian
    folder=${root:-$SHARED}/$name
    mkdir "$folder"
    case $document in
    docs/recipes.md)
      cp -r examples/cmake/. tests/recipes/files/. "$folder"
      # On one processor threads say things in one order.
      local start=(taskset -c 0)
      if [[ -n $root ]]; then
        cp "$package" "$folder"
        start=(inside "$root" env -C "/$name" WARPALLOC_LOG=info LC_ALL=C.UTF-8
          DEBIAN_FRONTEND=noninteractive)
      fi
      section "$document" "$name" "$folder" "${start[@]}"
      ;;
    docs/choices.md)
      ONLY=attention scripts/compile_examples.sh 90a >&2
      "$LLVM/llvm-dis" target/examples/sm_90a/attention.bc -o "$folder/k.ll"
      ln -s "$PWD/target" "$PWD/.venv" "$folder"
      section "$document" "$name" "$folder" \
        env "PATH=$PWD/.venv/bin:$PATH" "XDG_CACHE_HOME=$folder/cache"
      ;;
    docs/triton.md)
      [[ $name != without-a-gpu ]] || ln -s "$PWD/target" "$PWD/examples" "$folder"
      section "$document" "$name" "$folder" \
        env -u PYTHONPATH PIP_DISABLE_PIP_VERSION_CHECK=1 "TRITON_HOME=$folder/home"
      ;;
    esac
  done
}

rm -rf "$SHARED"
mkdir -p "$SHARED"
install_and_move >&2
make_cuda_root
package=$(scripts/package.sh deb)
make_debian "$SHARED/debian" --variant=apt --include=llvm-22,clang-22,apt-utils \
  --aptopt='Dpkg::Use-Pty "false"' >&2
all >"$SHARED/transcripts.md"
mv "$SHARED/transcripts.md" "$file"
rm -rf "$SHARED"
