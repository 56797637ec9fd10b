#!/usr/bin/env bash
# Makes a Python environment with one version of Triton, and what the tests of python/ need,
# in target/triton/VERSION, and prints its python. Does nothing, quickly, when it is there.
# usage: triton.sh VERSION      (none: without Triton)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
version=${1:?usage: triton.sh VERSION}
# All that is installed is pinned, as far as it is chosen here.
packages=("${python_test_packages[@]}")
[[ $version == none ]] || packages+=("triton==$version")
folder=target/triton/$version
python_environment "$folder" "$PWD ${packages[*]}" \
  "$folder/bin/python" -m pip install -q --disable-pip-version-check "${packages[@]}"
echo "$PWD/$folder/bin/python"
