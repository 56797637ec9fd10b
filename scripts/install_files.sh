#!/usr/bin/env bash
# Copies what users need, as it is built, to a folder. It may be moved afterwards: what it
# has of paths is relative.
# usage: install_files.sh PREFIX        Environment: DESTDIR, a folder that stands for /.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
prefix=${1:?usage: install_files.sh PREFIX}
[[ $prefix == /* ]] || {
  echo "install: PREFIX is an absolute path, not '$prefix'" >&2
  exit 1
}
for file in libwarpalloc.so warpalloc warpalloc-llc; do
  [[ -f target/release/$file ]] || {
    echo "install: target/release/$file is missing: run make build" >&2
    exit 1
  }
done
to=${DESTDIR:-}$prefix
version=$(version)

put() { install -D -m "$1" -t "$to/$2" "${@:3}"; }
put 755 bin target/release/warpalloc target/release/warpalloc-llc
put 644 lib target/release/libwarpalloc.so
put 644 lib/warpalloc clang/*.cfg
put 644 lib/cmake/Warpalloc cmake/*.cmake
sed "s/@VERSION@/$version/" cmake/WarpallocConfigVersion.cmake.in \
  >"$to/lib/cmake/Warpalloc/WarpallocConfigVersion.cmake"
chmod 644 "$to/lib/cmake/Warpalloc/WarpallocConfigVersion.cmake"
put 644 share/doc/warpalloc README.md ARCHITECTURE.md LICENSE LICENSES-OF-CRATES.txt
put 644 share/doc/warpalloc/docs docs/*.md
put 644 share/doc/warpalloc/docs/decisions docs/decisions/*.md
echo "warpalloc $version is in $to"
