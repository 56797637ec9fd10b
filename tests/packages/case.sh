#!/usr/bin/env bash
# Uses what is installed. case.sh NAME [GENERATOR KIND]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
. tests/installed.sh
INSTALLED="$SHARED/moved away"
unset CFLAGS CXXFLAGS CUDAFLAGS LDFLAGS CMAKE_GENERATOR
once installed install_and_move
sums=$'1: 10\n2: 30\n3: 100\n4: 354'

# What scripts/package.sh makes.
tarball=target/package/warpalloc-$(version)-llvm22-$(uname -m)-linux.tar.gz
deb=target/package/warpalloc_$(version)-1_$(dpkg --print-architecture).deb

# configure SOURCE ARGUMENT...: with clang, and what is installed.
configure() {
  cmake -S "$1" -B "$CASE/build" -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 \
    -DCMAKE_PREFIX_PATH="$INSTALLED" "${@:2}"
}

# refused PATTERN SOURCE ARGUMENT...: CMake must end with an error like this.
refused() {
  local pattern=$1
  shift
  ! configure "$@" >"$CASE/log" 2>&1 || fail "no error, but one like '$pattern' should be"
  # CMake breaks lines.
  tr -s ' \n' ' ' <"$CASE/log" | grep -qE "$pattern" || fail "no '$pattern' in: $(<"$CASE/log")"
  echo "refused: $pattern"
}

# built TARGET LOG: builds it, with what warpalloc says of functions in the log.
built() { WARPALLOC_LOG=info cmake --build "$CASE/build" --target "$1" -v >"$2" 2>&1 || fail "$(tail -n 40 "$2")"; }

# project TEXT: a source folder of its own, of a C file and this text.
project() {
  mkdir -p "$CASE/source"
  echo 'int twice(int a) { return 2 * a; }' >"$CASE/source/twice.c"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' "$@" >"$CASE/source/CMakeLists.txt"
}

# generator NAME: as CMake calls it.
generator() {
  case $1 in
  Make) echo 'Unix Makefiles' ;;
  *) echo "$1" ;;
  esac
}

# use_package BIN LIB: allocates with what a package has put there, as somebody with nothing else.
use_package() {
  local bin=$1 lib=$2
  local clean=(env -i "PATH=/usr/bin:/bin" "HOME=$CASE")
  echo 'define i32 @f(i32 %a) { %b = mul i32 %a, 3
    ret i32 %b }' >"$CASE/f.ll"
  "${clean[@]}" "$bin/warpalloc-llc" -print-regalloc-stats "$CASE/f.ll" -o "$CASE/f.s" 2>"$CASE/log"
  grep -q '^warpalloc: function=f ' "$CASE/log" || fail "$(<"$CASE/log")"
  "${clean[@]}" llc-22 -load="$lib/libwarpalloc.so" -regalloc=warpalloc -filetype=obj "$CASE/f.ll" -o "$CASE/f.o"
  [[ $("${clean[@]}" "$bin/warpalloc" --version) =~ ^warpalloc\ $(version)\ \(built\ for\ LLVM\ 22\. ]] ||
    fail "no version"
  for file in "$bin/warpalloc" "$bin/warpalloc-llc" "$lib/libwarpalloc.so"; do
    [[ $(file_sections "$file") != *.symtab* ]] || fail "$file is not stripped"
    ! readelf -d "$file" | grep -E 'RPATH|RUNPATH' || fail "$file knows folders of where it was built"
  done
  # Debian 12 has glibc 2.36.
  newest=$(objdump -T "$bin/warpalloc" "$bin/warpalloc-llc" "$lib/libwarpalloc.so" |
    grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -n 1)
  [[ $(printf '%s\n' "$newest" GLIBC_2.36 | sort -V | tail -n 1) == GLIBC_2.36 ]] || fail "it needs $newest"
  # Nothing of the folder that it was built in, but in the text of messages of panics.
  ! grep -rlF "$PWD" "$(dirname "$bin")/lib/cmake" "$lib/warpalloc" || fail "paths of the build"
}

# Both packages, made twice: the bytes are the same. (Whatever `once` runs ends at a failure
# only where && says so.)
make_packages() {
  rm -rf "$SHARED/first" && mkdir "$SHARED/first" &&
    scripts/package.sh dist && scripts/package.sh deb &&
    cp "$tarball" "$deb" "$SHARED/first" &&
    scripts/package.sh dist && scripts/package.sh deb &&
    cmp "$tarball" "$SHARED"/first/*.tar.gz && cmp "$deb" "$SHARED"/first/*.deb
}

file_sections() { readelf -SW "$1" | grep -oE ' \.[a-z.]+' | tr -d '\n'; }

case $1 in
relocated)
  use_package "$INSTALLED/bin" "$INSTALLED/lib"
  documented_size libwarpalloc.so "$INSTALLED/lib/libwarpalloc.so"
  # The configuration files of clang find the plugin where they are.
  cp examples/cmake/{powers.c,powers.h,first.S,main.cpp} "$CASE"
  cd "$CASE"
  clang() { WARPALLOC_LOG=info clang-22 --config="$INSTALLED/lib/warpalloc/$1.cfg" -Werror "${@:2}"; }
  clang warpalloc -O2 -c powers.c first.S 2>log
  allocated log sum_of_powers
  clang warpalloc -O2 -c main.cpp 2>log
  allocated log main
  clang warpalloc main.o powers.o first.o -lstdc++ -o example
  [[ $(./example) == "$sums" ]] || fail "wrong sums: $(./example)"
  clang warpalloc-lto -O2 main.cpp powers.c first.S -lstdc++ -o example-lto 2>log
  allocated log main
  [[ $(./example-lto) == "$sums" ]] || fail "wrong sums: $(./example-lto)"
  ;;
source-tree)
  # The package as it lies in the repository, with what cargo has built.
  project 'project(p LANGUAGES C)' 'find_package(Warpalloc REQUIRED)' 'add_library(p twice.c)' 'warpalloc_target(p)'
  configure "$CASE/source" -DWarpalloc_DIR="$PWD/cmake"
  built p "$CASE/log"
  allocated "$CASE/log" twice
  grep -qF -- "-fplugin=$PWD/target/release/libwarpalloc.so" "$CASE/log" || fail "another plugin"
  ;;
cmake)
  configure examples/cmake -G "$(generator "$2")" -DCMAKE_BUILD_TYPE="$3"
  built powers "$CASE/log"
  allocated "$CASE/log" sum_of_powers
  built example "$CASE/log"
  allocated "$CASE/log" main
  built example-lto "$CASE/log"
  allocated "$CASE/log" main
  # Not by the compiler, but by the linker.
  ! grep -qF -- '-fplugin' "$CASE/log" || fail "LTOFlags load the plugin into the compiler"
  for program in example example-lto; do
    [[ $("$CASE/build/$program") == "$sums" ]] || fail "wrong sums: $("$CASE/build/$program")"
  done
  built all "$CASE/log"
  ! grep -q 'function=' "$CASE/log" || fail "what is up to date is built again"
  ;;
cuda)
  once cuda make_cuda_root
  cp -r examples/cmake "$CASE/source"
  configure "$CASE/source" -G "$(generator "$2")" -DCMAKE_BUILD_TYPE="$3" -DEXAMPLE_CUDA=ON \
    -DCMAKE_CUDA_COMPILER=clang++-22 -DCUDAToolkit_ROOT="$CUDA" -DCMAKE_CUDA_ARCHITECTURES=90 \
    -DCMAKE_CUDA_RUNTIME_LIBRARY=None \
    -DCMAKE_CUDA_FLAGS='-Wno-unknown-cuda-version -Werror -save-temps=obj'
  built kernels "$CASE/log"
  ! grep -q 'function=' "$CASE/log" || fail "the host's side is allocated, too"
  ptx=$(find "$CASE/build/CMakeFiles/kernels.dir" -name 'kernels*sm_90.s')
  # The first of two kernels within the budget, the second as it came.
  kernels=$(awk '/\.entry/ { name = $3 } /\.maxnreg/ { print name, $2 }' "$ptx" | tr -d '(')
  [[ $kernels == '_Z5scalePff 64' ]] || fail "budgets are '$kernels'"
  built kernels "$CASE/log"
  ! grep -q -- '-fplugin' "$CASE/log" || fail "what is up to date is built again"
  echo '{"version": 1, "choices": []}' >"$CASE/source/choices.json"
  built kernels "$CASE/log"
  [[ $(grep -c '\.maxnreg 64' "$ptx") == 2 ]] || fail "other choices change nothing"
  # An occupancy: the most registers with which so many warps are resident, of the 64 that an
  # SM of sm_90 holds.
  for pair in '75 40' '50 64'; do
    read -r percent registers <<<"$pair"
    sed -i "s/OCCUPANCY [0-9]*/OCCUPANCY $percent/" "$CASE/source/CMakeLists.txt"
    built resident "$CASE/log"
    ptx=$(find "$CASE/build/CMakeFiles/resident.dir" -name 'kernels*sm_90.s')
    bounds=$(awk '/\.entry/ { name = $3 } /\.maxnreg/ { print name, $2 }' "$ptx" | tr -d '(' | sort)
    [[ $bounds == $'_Z3addPfPKf '"$registers"$'\n_Z5scalePff '"$registers" ]] ||
      fail "for $percent percent the budgets are '$bounds'"
    warps=()
    for number in "$registers" $((registers + 1)); do
      warps+=("$(target/release/warpalloc occupancy --sm 90 --threads 256 --registers "$number" |
        sed -nE 's/.* warps=([0-9]+).*/\1/p')")
    done
    ((warps[0] * 100 >= 64 * percent && warps[1] * 100 < 64 * percent)) ||
      fail "$registers registers are resident with ${warps[*]} warps"
  done
  ;;
arguments)
  # shellcheck disable=SC2016
  project 'project(p LANGUAGES C)' 'find_package(Warpalloc REQUIRED)' 'add_library(p twice.c)' \
    'separate_arguments(ARGUMENTS)' 'warpalloc_target(${ARGUMENTS})'
  source=$CASE/source
  refused 'warpalloc_target\(q\): there is no target of this name' "$source" -DARGUMENTS=q
  for value in 0 256 many -1 6.5; do
    refused "warpalloc_target\(p\): BUDGET is a number from 1 to 255, not '$value'" "$source" \
      -DARGUMENTS="p BUDGET $value"
  done
  refused "OCCUPANCY is a number from 1 to 100, not '101'" "$source" -DARGUMENTS='p OCCUPANCY 101'
  refused 'the file of CHOICES is missing: .*/source/none.json' "$source" -DARGUMENTS='p CHOICES none.json'
  refused "unknown argument 'BUGDET;64'; known are" "$source" -DARGUMENTS='p BUGDET 64'
  refused 'warpalloc_target\(p\): BUDGET without a value' "$source" -DARGUMENTS='p BUDGET'
  # The right ones reach the compiler, and it knows them.
  echo '{"version": 1, "choices": []}' >"$source/some.json"
  configure "$source" -DARGUMENTS='p BUDGET 64 OCCUPANCY 75 CHOICES some.json'
  built p "$CASE/log"
  allocated "$CASE/log" twice
  for option in nvptx-regalloc-pressure-limit=64 nvptx-regalloc-occupancy-target=75 \
    warpalloc-choices="$source/some.json"; do
    grep -qF -- "-mllvm=-$option" "$CASE/log" || fail "no -$option"
  done
  ;;
compilers)
  # Languages of other compilers are left alone; if there are no others, it is an error.
  project 'project(p LANGUAGES C)' 'find_package(Warpalloc REQUIRED)'
  refused 'clang 22 is needed, but C is compiled by GNU' "$CASE/source" -DCMAKE_C_COMPILER=gcc
  rm -r "$CASE/build"
  project 'project(p LANGUAGES NONE)' 'find_package(Warpalloc REQUIRED)'
  refused 'none of C, CXX and CUDA is enabled' "$CASE/source"
  rm -r "$CASE/build"
  project 'project(p LANGUAGES C CXX)' 'find_package(Warpalloc REQUIRED)' \
    'add_library(p twice.c thrice.cpp)' 'warpalloc_target(p)'
  echo 'int thrice(int a) { return 3 * a; }' >"$CASE/source/thrice.cpp"
  configure "$CASE/source" -DCMAKE_C_COMPILER=gcc >"$CASE/log"
  grep -q 'leaves alone what others compile: C is compiled by GNU' "$CASE/log" || fail "nothing said of C"
  built p "$CASE/log"
  allocated "$CASE/log" _Z6thricei
  ! grep -q 'function="twice"' "$CASE/log" || fail "gcc has warpalloc"
  ;;
versions)
  for wanted in "$(version)" 0 "$(version) EXACT"; do
    project 'project(p LANGUAGES C)' "find_package(Warpalloc $wanted REQUIRED)"
    configure "$CASE/source"
  done
  for wanted in 99 0.0.1; do
    project 'project(p LANGUAGES C)' "find_package(Warpalloc $wanted REQUIRED)"
    refused "compatible with requested version \"$wanted\"" "$CASE/source"
  done
  # The plugin is gone.
  cp -r "$INSTALLED" "$CASE/root"
  rm "$CASE/root/lib/libwarpalloc.so"
  project 'project(p LANGUAGES C)' 'find_package(Warpalloc REQUIRED)'
  refused 'libwarpalloc.so is missing, two folders above' "$CASE/source" -DWarpalloc_DIR="$CASE/root/lib/cmake/Warpalloc"
  ;;
check)
  # The target check-warpalloc, and that it fails with a plugin that is none.
  project 'project(p LANGUAGES C CXX)' 'find_package(Warpalloc REQUIRED)'
  configure "$CASE/source"
  built check-warpalloc "$CASE/log"
  [[ $(grep -c 'warpalloc allocates' "$CASE/log") == 2 ]] || fail "$(<"$CASE/log")"
  check=$INSTALLED/lib/cmake/Warpalloc/check.cmake
  cmake -DCUDA=clang++-22 -DLIBRARY="$INSTALLED/lib/libwarpalloc.so" -DFOLDER="$CASE" -P "$check"
  ! cmake -DC=clang-22 -DLIBRARY=/usr/lib/llvm-22/lib/libLLVM.so -DFOLDER="$CASE" -P "$check" >"$CASE/log" 2>&1 ||
    fail "it is content with another library"
  grep -q 'warpalloc did not allocate' "$CASE/log" || fail "$(<"$CASE/log")"
  ;;
licences)
  # Of each crate that is linked in, the licence is there.
  cargo tree --offline --locked -p warpalloc -p command -e normal,no-proc-macro --prefix none \
    --format '{p}' | sed -nE 's/^([^ ]+) v([^ ]+)( \(\*\))?$/\1 \2/p' | sort -u >"$CASE/crates"
  (($(wc -l <"$CASE/crates") > 20)) || fail "cargo tree lists $(wc -l <"$CASE/crates") crates"
  # Lines of the list of crates above each licence.
  grep -E '^  [a-z0-9_-]+ [0-9]' "$INSTALLED/share/doc/warpalloc/LICENSES-OF-CRATES.txt" |
    sed 's/^ *//' | sort -u >"$CASE/named"
  missing=$(comm -23 "$CASE/crates" "$CASE/named")
  [[ -z $missing ]] || fail "no licence of $missing: run make licences"
  ;;
dist)
  once packages make_packages
  documented_size tarball "$tarball"
  tar -xf "$tarball" -C "$CASE"
  root=$(echo "$CASE"/warpalloc-*/)
  use_package "${root}bin" "${root}lib"
  INSTALLED=$root configure examples/cmake -G Ninja
  built example "$CASE/log"
  allocated "$CASE/log" main
  [[ $("$CASE/build/example") == "$sums" ]] || fail "wrong sums"
  ;;
deb)
  once packages make_packages
  documented_size 'Debian package' "$deb"
  dpkg-deb -x "$deb" "$CASE/root"
  use_package "$CASE/root/usr/bin" "$CASE/root/usr/lib"
  diff -r "$INSTALLED/lib/cmake" "$CASE/root/usr/lib/cmake"
  # What it needs are packages of the names that this machine has.
  needs=$(dpkg-deb -f "$deb" Depends)
  for name in llvm-22 libllvm22 libc6; do
    [[ $needs =~ (^|, )$name( |,|$) ]] || fail "it does not depend on $name, but on $needs"
  done
  # The name without a folder, which clang looks for beside itself.
  for name in warpalloc warpalloc-device warpalloc-lto; do
    WARPALLOC_LOG=info clang-22 --config-system-dir="$CASE/root/usr/lib/llvm-22/bin" --config="$name.cfg" \
      -Werror -O2 examples/cmake/{main.cpp,powers.c,first.S} -lstdc++ -o "$CASE/$name" 2>"$CASE/log"
    [[ $("$CASE/$name") == "$sums" ]] || fail "wrong sums"
    [[ $name == warpalloc-device ]] || allocated "$CASE/log" main
  done
  INSTALLED=$CASE/root/usr configure examples/cmake -G Ninja
  built example "$CASE/log"
  allocated "$CASE/log" main
  ;;
debian)
  # Both packages on a Debian 12 that has nothing besides llvm-22.
  ((EUID == 0)) || declined "only root can make a Debian of its own"
  root=$CASE/debian
  trap 'rm -rf "$root"' EXIT
  make_debian "$root" --variant=apt --include=llvm-22
  once packages make_packages
  cp "$deb" "$root/warpalloc.deb"
  mkdir "$root/opt/tarball"
  tar -xf "$tarball" -C "$root/opt/tarball" --strip-components=1
  echo 'define i32 @f(i32 %a) { %b = mul i32 %a, 3
    ret i32 %b }' >"$root/f.ll"
  inside "$root" /opt/tarball/bin/warpalloc-llc -print-regalloc-stats /f.ll -o /dev/null >"$CASE/log" 2>&1 || fail "$(<"$CASE/log")"
  grep '^warpalloc: function=f ' "$CASE/log"
  inside "$root" /opt/tarball/bin/warpalloc --version
  # What it depends on is there already.
  inside "$root" dpkg --install /warpalloc.deb
  inside "$root" warpalloc-llc -print-regalloc-stats /f.ll -o /dev/null >"$CASE/log" 2>&1 || fail "$(<"$CASE/log")"
  grep '^warpalloc: function=f ' "$CASE/log"
  inside "$root" warpalloc --version
  inside "$root" dpkg --purge warpalloc
  [[ ! -e $root/usr/lib/libwarpalloc.so && ! -e $root/usr/lib/warpalloc ]] || fail "files stay behind"
  ;;
*) fail "unknown case $1" ;;
esac
