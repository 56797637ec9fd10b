#!/usr/bin/env bash
# Installs what building and testing need: Debian packages, and a private
# Python environment in .venv/ with ptxas, nvdisasm and a CUDA root for clang.
# Does nothing, quickly, when everything is there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

apt=(llvm-22 llvm-22-dev llvm-22-tools clang-22 lld-22 libpolly-22-dev clang-format-22
  qemu-user gcc-aarch64-linux-gnu gcc-riscv64-linux-gnu libc6-dev-arm64-cross
  libc6-dev-riscv64-cross libstdc++-12-dev-arm64-cross libstdc++-12-dev-riscv64-cross
  csmith libcsmith-dev libclang-rt-22-dev valgrind time
  zlib1g-dev libzstd-dev clang-tools-22 cmake ninja-build autoconf automake mmdebstrap dpkg-dev
  python3-psutil)
# The 13.x packages give the assembler and disassemblers. The 12.9 packages give
# the headers, because clang 22 does not fit CUDA 13's. They use separate folders.
pypi=(nvidia-cuda-nvcc==13.0.88 nvidia-cuda-nvdisasm==13.5.37
  nvidia-cuda-cuobjdump==13.5.37 nvidia-cuda-runtime==13.5.37
  nvidia-cuda-nvcc-cu12==12.9.86
  nvidia-cuda-runtime-cu12==12.9.79 nvidia-cuda-cccl-cu12==12.9.27
  nvidia-curand-cu12==10.3.10.19)

die() {
  echo "install: $*" >&2
  exit 1
}

# Debian packages
missing=()
have=" $(dpkg-query -W -f='${db:Status-Status}=${Package} ' "${apt[@]}" 2>/dev/null || true)"
for p in "${apt[@]}"; do
  [[ $have == *" installed=$p "* ]] || missing+=("$p")
done
command -v gcc >/dev/null || missing+=(gcc libc6-dev)
command -v g++ >/dev/null || missing+=(g++)
command -v make >/dev/null || missing+=(make)
command -v python3 >/dev/null || missing+=(python3 python3-venv)
if command -v python3 >/dev/null && [[ ! -x .venv/bin/python ]]; then
  python3 -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3-venv)
fi
if ((${#missing[@]})); then
  line="apt-get install -y --no-install-recommends ${missing[*]}"
  ((EUID == 0)) || die "these Debian packages are missing; as root run: apt-get update && $line"
  echo "install: $line"
  export DEBIAN_FRONTEND=noninteractive
  log=$(mktemp)
  # The package lists may be old: refresh them only when the first try fails.
  $line >"$log" 2>&1 || { apt-get update && $line; } >"$log" 2>&1 ||
    { tail -20 "$log" >&2 && die "apt-get failed"; }
  rm -f "$log"
fi
command -v cargo >/dev/null || die "cargo is missing: install Rust 1.95 or later (rustup.rs)"

# Python environment
stamp=.venv/.stamp
want="$PWD ${pypi[*]} layout 3"
if [[ -f $stamp && $(<"$stamp") == "$want" ]]; then
  exit 0
fi
echo "install: .venv (${pypi[*]})"
rm -rf .venv
python3 -m venv .venv
.venv/bin/python -m pip install -q --disable-pip-version-check "${pypi[@]}"
site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/nvidia

for tool in ptxas nvdisasm cuobjdump; do
  path=$(find "$site" -type f -path "*/cu13/*" -name "$tool" -print -quit)
  [[ -n $path ]] || die "$tool is not in the PyPI packages"
  chmod +x "$path"
  ln -sf "$path" ".venv/bin/$tool"
done

# ptxas 13 no longer knows sm_70; ptxas 12.9 does.
chmod +x "$site/cuda_nvcc/bin/ptxas"
ln -sf "$site/cuda_nvcc/bin/ptxas" .venv/bin/ptxas-12

# The CUDA root: one include folder (symbolic links), libdevice, and what clang's driver
# runs: ptxas, fatbinary, and nvlink for relocatable device code.
root=.venv/cuda
mkdir -p $root/include $root/bin $root/lib64
for part in cuda_cccl cuda_runtime cuda_nvcc curand; do
  cp -rsf "$site/$part/include/." $root/include/
done
ln -s "$site/cuda_nvcc/nvvm" $root/nvvm
ln -s "$site/cuda_nvcc/bin/ptxas" $root/bin/ptxas
# The 12.9 packages have no others.
for tool in fatbinary nvlink; do
  path=$site/cu13/bin/$tool
  [[ -f $path ]] || die "$tool is not in the PyPI packages"
  chmod +x "$path"
  ln -s "$path" $root/bin/$tool
done
echo "$want" >"$stamp"
