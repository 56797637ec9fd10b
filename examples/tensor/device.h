// What the kernels in this folder need of CUDA, without its headers. They compile with
//   clang-22 -x cuda --cuda-device-only -nocudainc -nocudalib -O2 -emit-llvm -c
// and --cuda-gpu-arch=sm_90a --cuda-feature=+ptx88, or another SM.
#pragma once

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) float2 {
  float x, y;
};

// Two halves.
using half2_bits = unsigned;

static __device__ inline int thread_index() {
  return __nvvm_read_ptx_sreg_tid_x();
}
static __device__ inline int block_index() {
  return __nvvm_read_ptx_sreg_ctaid_x();
}

// An address in shared memory, as instructions take it.
static __device__ inline unsigned shared_address(const void *pointer) {
  using shared = const __attribute__((address_space(3))) char *;
  return (unsigned)(unsigned long long)(shared)pointer;
}
