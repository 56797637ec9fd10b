#!/usr/bin/env bash
# Builds five real programs as one bitcode file each, for cpu_compare.sh and others:
# target/corpus/{sqlite,lua,zlib,bzip2,lz4}.bc, x86-64, not position-independent; for
# another processor target/corpus/ARCH/*.bc. With a variant "raw" target/corpus/raw/*.bc,
# to which clang has done none of its optimisations.
# Their sources come with crates from crates.io; the drivers are in benches/drivers.
# usage: cpu_corpus.sh [x86_64|aarch64|riscv64|raw]       (default: x86_64)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
arch=${1:-x86_64}
drivers=$PWD/benches/drivers
out=$PWD/target/corpus
mkdir -p "$out/fetch/src"

cat >"$out/fetch/Cargo.toml.new" <<'TOML'
[package]
name = "fetch"
version = "0.0.0"
edition = "2021"
[workspace]
[dependencies]
libsqlite3-sys = "=0.39.1"
lua-src = "=551.1.0"
libz-sys = "=1.1.31"
bzip2-sys = "=0.1.13"
lz4-sys = "=1.11.1"
TOML
if ! cmp -s "$out/fetch/Cargo.toml.new" "$out/fetch/Cargo.toml" || [[ ! -d $out/vendor ]]; then
  echo "cpu_corpus: fetching sources"
  rm -rf "$out/vendor"
  touch "$out/fetch/src/lib.rs"
  cp "$out/fetch/Cargo.toml.new" "$out/fetch/Cargo.toml"
  cargo vendor -q --manifest-path "$out/fetch/Cargo.toml" "$out/vendor" >/dev/null
fi

sqlite=$out/vendor/libsqlite3-sys/sqlite3
zlib=$out/vendor/libz-sys/src/zlib
bzip2=$(echo "$out"/vendor/bzip2-sys/bzip2-*)
lz4=$out/vendor/lz4-sys/liblz4/lib
lua=$(echo "$out"/vendor/lua-src/lua-5.4*)
case $arch in
x86_64) target="--target=x86_64-linux-gnu" ;;
raw) out+=/raw target="--target=x86_64-linux-gnu -Xclang -disable-llvm-passes" ;;
*)
  out+=/$arch target="--target=$arch-linux-gnu -isystem /usr/$arch-linux-gnu/include"
  [[ $arch != riscv64 ]] || target+=" -march=rv64gc"
  ;;
esac

# program NAME "FLAGS" SOURCE...
program() {
  local name=$1 flags=$2 source newest
  shift 2
  newest=$(find "$@" "$drivers" benches/cpu_corpus.sh -newer "$out/$name.bc" -print -quit 2>/dev/null || echo missing)
  [[ -n $newest ]] || return 0
  echo "cpu_corpus: compiling $name"
  rm -rf "${out:?}/$name" "$out/$name.bc"
  mkdir -p "$out/$name"
  for source; do
    printf '%s\n' "$source"
  done | xargs -P 2 -I{} sh -c "clang-22 $target -O2 -w -fno-pic -fno-pie \
    $flags -emit-llvm -c '{}' -o '$out/$name/'\$(basename '{}' .c).bc"
  llvm-link-22 -o "$out/$name.bc" "$out/$name"/*.bc
  stat -c 'cpu_corpus: %n, %s bytes' "${out#"$PWD/"}/$name.bc"
}

sources() { find "$1" -maxdepth 1 -name '*.c' | LC_ALL=C sort; }

program sqlite "-I$sqlite -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_ENABLE_FTS5" \
  "$drivers/sqlite_driver.c" "$sqlite/sqlite3.c"
mapfile -t files < <(sources "$lua" | grep -vE '/(lua|luac|onelua|ltests)\.c$')
program lua "-I$lua -DLUA_USE_POSIX" "$drivers/lua_driver.c" "${files[@]}"
mapfile -t files < <(sources "$zlib" | grep -vE '/gz[a-z]*\.c$')
program zlib "-I$zlib" "$drivers/zlib_driver.c" "${files[@]}"
mapfile -t files < <(sources "$bzip2" | grep -vE '/(bzip2|bzip2recover|dlltest|mk251|spewG|unzcrash)\.c$')
program bzip2 "-I$bzip2 -DBZ_NO_STDIO" "$drivers/bzip2_driver.c" "${files[@]}"
mapfile -t files < <(sources "$lz4" | grep -v '/lz4file\.c$')
program lz4 "-I$lz4" "$drivers/lz4_driver.c" "${files[@]}"
