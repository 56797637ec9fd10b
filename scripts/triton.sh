#!/usr/bin/env bash
# Makes a Python environment with one version of Triton, and what the tests of python/ need,
# in target/triton/VERSION, and prints its python. Does nothing, quickly, when it is there.
# usage: triton.sh VERSION      (none: without Triton)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=${1:?usage: triton.sh VERSION}
# All that is installed is pinned, as far as it is chosen here.
packages=(pytest==9.2.0 wrapt==2.5.2)
[[ $version == none ]] || packages+=("triton==$version")
folder=target/triton/$version
want="$PWD ${packages[*]}"
if [[ ! -f $folder/.stamp || $(<"$folder/.stamp") != "$want" ]]; then
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/python" -m pip install -q --disable-pip-version-check "${packages[@]}" >&2
  echo "$want" >"$folder/.stamp"
fi
echo "$PWD/$folder/bin/python"
