#!/usr/bin/env bash
# Links target/standalone/warpalloc-llc: llc for NVPTX with the allocator in it, one program
# that needs no LLVM where it runs. LLVM's NVPTX back end is linked statically, and the plugin
# as a static library, of the same sources as the dynamic one; that one stays as it is.
# usage: standalone.sh      (minutes the first time, seconds when nothing has changed)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
folder=target/standalone
config=$LLVM/llvm-config
mkdir -p $folder

# In a folder of its own: another type of library would make cargo build the plugin anew.
CARGO_INCREMENTAL=0 cargo rustc --quiet --release --lib --package warpalloc \
  --crate-type staticlib --target-dir $folder
plugin=$folder/release/libwarpalloc.a
program=$folder/warpalloc-llc
if [[ $program -nt $plugin && $program -nt standalone/llc.cpp && $program -nt $0 ]]; then
  exit 0
fi
read -ra flags < <("$config" --cppflags)
read -ra libraries < <("$config" --link-static --libs nvptx irreader codegen asmprinter passes)
g++ -std=c++17 -O2 -Wall -Wextra -fno-exceptions -fno-rtti "${flags[@]/#-I/-isystem}" \
  -c standalone/llc.cpp -o $folder/llc.o
# library NAME: the static one, which Debian has in zlib1g-dev and libzstd-dev; without, the
# program needs the shared one where it runs.
library() {
  local file
  file=$(g++ -print-file-name="lib$1.a")
  if [[ -f $file ]]; then echo "$file"; else echo "-l:lib$1.so.1"; fi
}
# The order is that of initialization: the list into which the plugin enters itself is LLVM's,
# and must be there before. The plugin is taken whole, as nothing refers to its registrations.
g++ -fuse-ld=lld -B"$LLVM" -static-libstdc++ -static-libgcc -o $program.new $folder/llc.o \
  -L"$("$config" --libdir)" "${libraries[@]}" \
  -Wl,--whole-archive $plugin -Wl,--no-whole-archive "$(library zstd)" "$(library z)" \
  -Wl,--gc-sections,--icf=all,--as-needed,-s
mv $program.new $program
