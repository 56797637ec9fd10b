#!/usr/bin/env bash
# Makes packages of what is built, in target/package: the same bytes of the same build.
# usage: package.sh dist|deb
#   dist  a tarball, for any folder of a Debian 12 that has llvm-22
#   deb   a package for Debian 12, by cargo-deb, which is installed in target/tools
# Environment: SOURCE_DATE_EPOCH, the time of all files (default: that of the last commit).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
out=$PWD/target/package
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH

make_tarball() {
  local name
  name=warpalloc-$(version)-llvm22-$(uname -m)-linux
  rm -rf "$out/dist"
  DESTDIR=$out/dist scripts/install_files.sh "/$name" >/dev/null
  tar -C "$out/dist" --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" | gzip -n -9 >"$out/$name.tar.gz.new"
  mv "$out/$name.tar.gz.new" "$out/$name.tar.gz"
  echo "$out/$name.tar.gz"
}

# What goes into the package is in Cargo.toml.
make_deb() {
  need_tool cargo-deb 3.8.0
  rm -rf "$out/deb"
  DESTDIR=$out/deb scripts/install_files.sh /usr >/dev/null
  # Debian's clang looks for names without a folder beside itself.
  local beside=$out/deb/usr/lib/llvm-22/bin file
  mkdir -p "$beside"
  for file in clang/*.cfg; do
    echo "@../../warpalloc/${file#clang/}" >"$beside/${file#clang/}"
  done
  target/tools/bin/cargo-deb --no-build --no-strip --quiet -p warpalloc --output "$out" >/dev/null
  ls "$out/warpalloc_$(version)"*.deb
}

mkdir -p "$out"
case ${1:-} in
dist) make_tarball ;;
deb) make_deb ;;
*)
  echo "usage: package.sh dist|deb" >&2
  exit 2
  ;;
esac
