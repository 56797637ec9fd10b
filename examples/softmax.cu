// Row-wise softmax: one warp a row, the row kept in registers.
// The maximum and the sum are combined by warp shuffles.
#include <cuda_runtime.h>

static __device__ float warp_max(float v) {
#pragma unroll
  for (int o = 16; o > 0; o /= 2)
    v = fmaxf(v, __shfl_xor_sync(~0u, v, o));
  return v;
}

static __device__ float warp_sum(float v) {
#pragma unroll
  for (int o = 16; o > 0; o /= 2)
    v += __shfl_xor_sync(~0u, v, o);
  return v;
}

template <int PER_LANE>
static __device__ void softmax_row(const float *in, float *out, int cols) {
  const int lane = threadIdx.x % 32;
  float v[PER_LANE];
  float top = -INFINITY;
#pragma unroll
  for (int i = 0; i < PER_LANE; ++i) {
    int c = i * 32 + lane;
    v[i] = c < cols ? in[c] : -INFINITY;
    top = fmaxf(top, v[i]);
  }
  top = warp_max(top);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < PER_LANE; ++i) {
    v[i] = __expf(v[i] - top);
    sum += v[i];
  }
  float scale = 1.0f / warp_sum(sum);
#pragma unroll
  for (int i = 0; i < PER_LANE; ++i) {
    int c = i * 32 + lane;
    if (c < cols)
      out[c] = v[i] * scale;
  }
}

extern "C" __global__ void softmax(const float *__restrict__ in,
                                   float *__restrict__ out, int rows,
                                   int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows)
    return;
  in += (size_t)row * cols;
  out += (size_t)row * cols;
  if (cols <= 256)
    softmax_row<8>(in, out, cols);
  else
    softmax_row<32>(in, out, cols); // up to 1024 columns
}
