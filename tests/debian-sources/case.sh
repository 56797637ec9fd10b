#!/usr/bin/env bash
# Builds a source package of Debian with warpalloc, every allocation verified, and runs the
# package's own test suite. case.sh PACKAGE
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
. tests/installed.sh
package=$1
archive=$SHARED/archive
unset CC CXX CPP CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CPATH CMAKE_GENERATOR MAKEFLAGS

# How it is built, how many functions must be allocated and how many tests pass.
options=()
case $package in
gzip)
  build=configure least_functions=140 least_tests=24
  ;;
xz-utils)
  build=configure least_functions=450 least_tests=16
  # Translations are not tested.
  options=(--disable-nls)
  ;;
pcre2)
  # Its tests are few, of many patterns each.
  build=configure least_functions=250 least_tests=4
  options=(--enable-jit)
  ;;
libjpeg-turbo)
  # In C alone: most of what the machine executes is assembly otherwise.
  build=cmake-flags least_functions=450 least_tests=300
  options=(-DWITH_SIMD=0)
  ;;
googletest)
  build=cmake-package least_functions=7000 least_tests=40
  options=(-DBUILD_GMOCK=OFF -Dgtest_build_tests=ON)
  ;;
*) fail "unknown case $package" ;;
esac

# apt as it is set up here, but with the sources of Debian 12 alone and folders of its own.
apt_get() {
  apt-get -q -o "Dir::Etc::SourceList=$archive/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o "Dir::State::Lists=$archive/lists" -o "Dir::Cache=$archive/cache" \
    -o APT::Sandbox::User=root -o APT::Update::Error-Mode=any "$@"
}

# What cannot be fetched says nothing of warpalloc.
update_lists() {
  rm -rf "$archive" && mkdir -p "$archive"/{lists,cache/archives}/partial &&
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
      "http://deb.debian.org/debian bookworm main" >"$archive/sources.list" || return
  apt_get update >"$archive/log" 2>&1 ||
    declined "Debian's archive cannot be read: $(tail -n 5 "$archive/log")"
}

sources=$SHARED/sources/$package
if [[ ! -d $sources ]]; then
  once lists update_lists
  rm -rf "$sources.part"
  mkdir -p "$sources.part"
  (cd "$sources.part" && apt_get source --download-only --only-source "$package") >"$CASE/log" 2>&1 ||
    declined "the sources cannot be fetched: $(tail -n 5 "$CASE/log")"
  mv "$sources.part" "$sources"
fi
dsc=("$sources"/*.dsc)
((${#dsc[@]} == 1)) || fail "not one source package: ${dsc[*]}"
version=$(sed -n 's/^Version: //p' "${dsc[0]}" | head -n 1)
dpkg-source --extract "${dsc[0]}" "$CASE/source" >"$CASE/log" 2>&1 || fail "$(tail "$CASE/log")"
# After Debian's patches make would generate configure and the manuals again, with tools that
# need not be here.
find "$CASE/source" -type f -exec touch -r "$CASE/source" {} +

once installed install_and_move
here=$PWD/tests/debian-sources
symbolic=--config=$here/symbolic.cfg
# The second verifier takes minutes, whoever allocates, for the function that constructs a
# large file's static variables in C++: there it is left out.
chosen="--config=$INSTALLED/lib/warpalloc/warpalloc.cfg $symbolic --config=$here/machine.cfg"

# run LOG COMMAND...: in the folder of the build; the case fails with it.
run() {
  local log=$CASE/$1.log
  shift
  "$@" >"$log" 2>&1 </dev/null && return
  grep -E '^(FAIL|ERROR)\b|\*\*\*(Failed|Timeout)|error:' "$log" | head -n 20 || true
  fail "$* failed, and $log ends so: $(tail -n 40 "$log")"
}

mkdir "$CASE/build"
cd "$CASE/build"
case $build in
configure)
  run configure ../source/configure CC="clang-22 $chosen" CXX="clang++-22 $chosen" "${options[@]}"
  ;;
cmake-flags)
  run configure cmake ../source -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang-22 \
    -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_C_FLAGS="$chosen" -DCMAKE_CXX_FLAGS="$chosen" "${options[@]}"
  ;;
cmake-package)
  run configure cmake ../source -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang-22 \
    -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_PREFIX_PATH="$INSTALLED" \
    -DCMAKE_PROJECT_INCLUDE="$here/flags.cmake" -DCMAKE_C_FLAGS="$symbolic" -DCMAKE_CXX_FLAGS="$symbolic" \
    "${options[@]}"
  ;;
esac

# Only here does the compiler say what it allocates: configure and tests read what is printed.
run make env WARPALLOC_LOG=info make -j2
[[ $build != configure ]] || run make-tests env WARPALLOC_LOG=info make -j2 check TESTS=
functions=$(sed -nE 's/.*complete: function="([^"]*)".*/\1/p' "$CASE"/make*.log | sort -u | wc -l)
((functions >= least_functions)) || fail "warpalloc has allocated $functions functions of $package, not $least_functions"

case $build in
configure)
  run check make -j2 check VERBOSE=1
  tests=$(sed -nE 's/^# PASS: +([0-9]+)$/\1/p' "$CASE/check.log" | awk '{ n += $1 } END { print n + 0 }')
  ;;
cmake-*)
  run check ctest -j2 --output-on-failure
  tests=$(sed -nE 's/^100% tests passed, 0 tests failed out of ([0-9]+)$/\1/p' "$CASE/check.log")
  ;;
esac
((tests >= least_tests)) || fail "$tests tests of $package have passed, not $least_tests: $(tail "$CASE/check.log")"
echo "$package $version: $functions functions, $tests of its own tests, $SECONDS s"
metric functions "$functions"
metric tests "$tests"
