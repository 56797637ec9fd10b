// Layer normalisation, forward and backward: one block a row.
// Mean and variance by Welford's method, combined across the block.
#include <cuda_runtime.h>

struct Moments {
  float n, mean, m2;
};

static __device__ Moments combine(Moments a, Moments b) {
  float n = a.n + b.n;
  if (n == 0)
    return a;
  float d = b.mean - a.mean, w = b.n / n;
  return {n, a.mean + d * w, a.m2 + b.m2 + d * d * a.n * w};
}

static __device__ Moments shuffle(Moments a, int o) {
  return {__shfl_xor_sync(~0u, a.n, o), __shfl_xor_sync(~0u, a.mean, o),
          __shfl_xor_sync(~0u, a.m2, o)};
}

static __device__ Moments block_moments(Moments m) {
  __shared__ Moments part[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int o = 16; o > 0; o /= 2)
    m = combine(m, shuffle(m, o));
  if (lane == 0)
    part[warp] = m;
  __syncthreads();
  m = lane < blockDim.x / 32 ? part[lane] : Moments{0, 0, 0};
  for (int o = 16; o > 0; o /= 2)
    m = combine(m, shuffle(m, o));
  return m;
}

static __device__ float2 block_sum(float2 v) {
  __shared__ float2 part[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int o = 16; o > 0; o /= 2) {
    v.x += __shfl_xor_sync(~0u, v.x, o);
    v.y += __shfl_xor_sync(~0u, v.y, o);
  }
  if (lane == 0)
    part[warp] = v;
  __syncthreads();
  v = lane < blockDim.x / 32 ? part[lane] : make_float2(0, 0);
  for (int o = 16; o > 0; o /= 2) {
    v.x += __shfl_xor_sync(~0u, v.x, o);
    v.y += __shfl_xor_sync(~0u, v.y, o);
  }
  return v;
}

extern "C" __global__ void
layernorm(const float4 *__restrict__ x, const float4 *__restrict__ gain,
          const float4 *__restrict__ bias, float4 *__restrict__ y,
          float2 *__restrict__ stats, int cols4, float eps) {
  x += (size_t)blockIdx.x * cols4;
  y += (size_t)blockIdx.x * cols4;
  Moments m = {0, 0, 0};
  for (int c = threadIdx.x; c < cols4; c += blockDim.x) {
    float4 v = x[c];
    float e[4] = {v.x, v.y, v.z, v.w};
    for (float f : e) {
      m.n += 1;
      float d = f - m.mean;
      m.mean += d / m.n;
      m.m2 += d * (f - m.mean);
    }
  }
  m = block_moments(m);
  float rstd = rsqrtf(m.m2 / m.n + eps);
  for (int c = threadIdx.x; c < cols4; c += blockDim.x) {
    float4 v = x[c], g = gain[c], b = bias[c];
    y[c] = make_float4(
        (v.x - m.mean) * rstd * g.x + b.x, (v.y - m.mean) * rstd * g.y + b.y,
        (v.z - m.mean) * rstd * g.z + b.z, (v.w - m.mean) * rstd * g.w + b.w);
  }
  if (threadIdx.x == 0)
    stats[blockIdx.x] = make_float2(m.mean, rstd);
}

extern "C" __global__ void
layernorm_backward(const float *__restrict__ x, const float *__restrict__ dy,
                   const float *__restrict__ gain,
                   const float2 *__restrict__ stats, float *__restrict__ dx,
                   float *__restrict__ dgain, float *__restrict__ dbias,
                   int cols) {
  const size_t base = (size_t)blockIdx.x * cols;
  const float mean = stats[blockIdx.x].x, rstd = stats[blockIdx.x].y;
  float2 s = make_float2(0, 0);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float h = (x[base + c] - mean) * rstd, d = dy[base + c];
    s.x += d * gain[c];
    s.y += d * gain[c] * h;
    atomicAdd(dgain + c, d * h);
    atomicAdd(dbias + c, d);
  }
  s = block_sum(s);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float h = (x[base + c] - mean) * rstd;
    dx[base + c] = rstd * (dy[base + c] * gain[c] - (s.x + h * s.y) / cols);
  }
}
