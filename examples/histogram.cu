// Histograms of 8-bit pixels and of float values: a private copy per warp in
// shared memory, then atomics to the result; and a warp-aggregated filter.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int BINS = 256, WARPS = 8;

static __device__ void add4(uint32_t *bins, uint32_t pixels) {
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8)
    atomicAdd(bins + (pixels >> shift & 255), 1);
}

static __device__ void flush(uint32_t (*bins)[BINS], uint32_t *result) {
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
    uint32_t sum = 0;
#pragma unroll
    for (int w = 0; w < WARPS; ++w)
      sum += bins[w][b];
    if (sum)
      atomicAdd(result + b, sum);
  }
}

extern "C" __global__ void __launch_bounds__(32 * WARPS)
    histogram8(const uint4 *__restrict__ pixels, uint32_t *result, int n16) {
  __shared__ uint32_t bins[WARPS][BINS];
  for (int b = threadIdx.x; b < WARPS * BINS; b += blockDim.x)
    bins[0][b] = 0;
  __syncthreads();
  uint32_t *mine = bins[threadIdx.x / 32];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n16;
       i += gridDim.x * blockDim.x) {
    uint4 p = pixels[i];
    add4(mine, p.x);
    add4(mine, p.y);
    add4(mine, p.z);
    add4(mine, p.w);
  }
  flush(bins, result);
}

extern "C" __global__ void __launch_bounds__(32 * WARPS)
    histogram_float(const float *__restrict__ values, uint32_t *result, int n,
                    float lo, float scale) {
  __shared__ uint32_t bins[WARPS][BINS];
  for (int b = threadIdx.x; b < WARPS * BINS; b += blockDim.x)
    bins[0][b] = 0;
  __syncthreads();
  uint32_t *mine = bins[threadIdx.x / 32];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    int b = (int)((values[i] - lo) * scale);
    atomicAdd(mine + max(0, min(b, BINS - 1)), 1);
  }
  flush(bins, result);
}

extern "C" __global__ void filter(const float *__restrict__ values, float *kept,
                                  uint32_t *count, int n, float threshold) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool keep = i < n && values[i] > threshold;
  uint32_t vote = __ballot_sync(~0u, keep);
  if (!keep)
    return;
  uint32_t lane = threadIdx.x % 32, base = 0;
  int leader = __ffs(vote) - 1;
  if (lane == leader)
    base = atomicAdd(count, __popc(vote));
  base = __shfl_sync(vote, base, leader);
  kept[base + __popc(vote & ((1u << lane) - 1))] = values[i];
}
