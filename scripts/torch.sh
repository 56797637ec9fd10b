#!/usr/bin/env bash
# Makes a Python environment with one version of torch and its Triton, and what the tests of
# python/ need, in target/triton/torch-VERSION, and prints its python. Does nothing, quickly,
# when it is there.
#
# torch is linked with several GB of NVIDIA's libraries, of which it calls nothing but CUDA's
# runtime where there is no GPU. In place of the others is one library of their functions, each
# of which ends the program.
# usage: torch.sh VERSION
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
version=${1:?usage: torch.sh VERSION}
case $version in
2.9.1) triton=3.5.1 runtime=nvidia-cuda-runtime-cu12==12.8.90 ;;
2.10.0) triton=3.6.0 runtime=nvidia-cuda-runtime-cu12==12.8.90 ;;
2.15.0) triton=3.9.0 runtime=nvidia-cuda-runtime==13.2.86 ;;
*) echo "torch.sh does not know torch $version" >&2 && exit 1 ;;
esac
packages=("${python_test_packages[@]}" "triton==$triton" "$runtime" sympy==1.14.0 networkx==3.6.1
  jinja2==3.1.6 filelock==4.3.1 fsspec==2026.9.0 typing_extensions==4.16.0 numpy==2.4.6
  setuptools==80.9.0)
folder=target/triton/torch-$version

without_cuda() {
  local libraries=("$1"/*.so) source=$1/without_cuda.c needed
  "$LLVM/llvm-nm" -D --undefined-only --format=just-symbols "${libraries[@]}" |
    sed -nE 's/^((cu|nccl|nvrtc|nvshmem)[A-Za-z0-9_]*)(@.*)?$/\1/p' | sort -u | grep -v '^cuda' |
    sed 's/.*/void &(void) { __builtin_trap(); }/' >"$source"
  clang-22 -w -fno-builtin -shared -fPIC -O1 -o "$1/libwithout_cuda.so" "$source"
  "$LLVM/llvm-readelf" --needed-libs "${libraries[@]}" |
    grep -oE '\blib(cu|nccl|nvrtc|nvshmem)[A-Za-z_]*\.so\.[0-9]+' | grep -v cudart | sort -u |
    while read -r needed; do ln -sf libwithout_cuda.so "$1/$needed"; done
}

install_torch() {
  local install=("$folder/bin/python" -m pip install -q --disable-pip-version-check)
  "${install[@]}" "${packages[@]}"
  "${install[@]}" --no-deps "torch==$version"
  without_cuda "$(echo "$folder"/lib/python3*/site-packages/torch/lib)"
  "$folder/bin/python" -c "import torch"
}

python_environment "$folder" "$PWD $version ${packages[*]}" install_torch
echo "$PWD/$folder/bin/python"
