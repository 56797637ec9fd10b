#!/usr/bin/env bash
# Builds the plugin with AddressSanitizer and UndefinedBehaviorSanitizer, C++ and Rust. Where
# it is, and what LLVM's tools must preload for it, are left in target/sanitize/{plugin,preload}.
# Stable Rust is told to accept the option that instruments it; the standard library and LLVM
# stay as they are. Needs clang-22 and libclang-rt-22-dev.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
host=$(rustc -vV | sed -n 's/^host: //p')
out=$PWD/target/sanitize
runtime=$(clang-22 -print-file-name="libclang_rt.asan-$(uname -m).so")
[[ -f $runtime ]] || {
  echo "AddressSanitizer's runtime is missing; on Debian install libclang-rt-22-dev" >&2
  exit 1
}
mkdir -p "$out"
RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address -Cforce-frame-pointers=yes" \
  WARPALLOC_SANITIZE=address,undefined \
  cargo build --quiet -p warpalloc --target "$host" --target-dir "$out"

# LLVM unloads the plugin before leaks are searched for: what its statics hold
# would seem lost, and calls in it would have no names. And the linker that clang
# starts is none of our business.
clang-22 -shared -fPIC -x c - -o "$out/keep_loaded.so" <<'SOURCE'
#include <stdlib.h>
int dlclose(void *handle) { return handle == 0; }
__attribute__((constructor)) static void start(void) { unsetenv("LD_PRELOAD"); }
SOURCE
echo "$out/$host/debug/libwarpalloc.so" >"$out/plugin"
echo "$runtime:$out/keep_loaded.so" >"$out/preload"
