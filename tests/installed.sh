# shellcheck shell=bash
# Sourced by the case.sh of suites that use what is installed.

# What users have of all this: a folder, which has been moved since it was installed, and
# their own environment.
INSTALLED=$SHARED/moved

install_and_move() {
  rm -rf "$SHARED/stage" "$INSTALLED" &&
    DESTDIR=$SHARED/stage scripts/install_files.sh /opt/warpalloc &&
    mv "$SHARED/stage/opt/warpalloc" "$INSTALLED"
}

# A root of CUDA as an installation has it: that of .venv, and what links and CMake ask for.
CUDA=$SHARED/cuda

make_cuda_root() {
  local packages
  packages=$(echo "$PWD"/.venv/lib/python3*/site-packages/nvidia)
  rm -rf "$CUDA" && cp -rs "$PWD/.venv/cuda" "$CUDA" && mkdir -p "$CUDA/lib64" &&
    ln -sf "$packages/cu13/bin/nvcc" "$CUDA/bin/nvcc" &&
    ln -sf "$PWD/.venv/bin/cuobjdump" "$CUDA/bin/cuobjdump" &&
    ln -sf "$packages"/cuda_runtime/lib/*.a "$CUDA/lib64"
}

# documented_size PATTERN FILE: fails unless the file has about the size, in millions of bytes,
# that the row of docs/recipes.md says in which the pattern is.
documented_size() {
  awk -F '|' -v pattern="$1" -v bytes="$(stat -Lc %s "$2")" '
    /^<!-- sizes -->/ { here = 1 }
    here && index($2, pattern) { said = $3; exit }
    END {
      printf "%s: %.1f, documented %s\n", pattern, bytes / 1e6, said
      exit !(said > 0 && bytes / 1e6 > said * 0.9 && bytes / 1e6 < said * 1.1)
    }' docs/recipes.md || fail "that is not within a tenth"
}

# make_debian FOLDER OPTION...: a Debian 12 in a folder, of what the options name, made from the
# sources of packages that this machine has. Only root can do so.
make_debian() {
  local root=$1 sources
  shift
  mapfile -t sources < <(ls /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null)
  rm -rf "$root"
  mmdebstrap --quiet "$@" bookworm "$root" "${sources[@]}"
}

# inside FOLDER COMMAND...: a program of such a Debian, as it runs there.
inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    unshare --fork --pid --root="$1" --mount-proc "${@:2}"
}

# Fails unless the log, written with WARPALLOC_LOG=info, says that each function was allocated.
allocated() {
  local log=$1 function
  shift
  for function; do
    grep -qF "function=\"$function\"" "$log" ||
      fail "$function was not allocated by warpalloc: $(tail -n 20 "$log")"
  done
}
