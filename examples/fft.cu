// 512-point complex FFT, one transform a block of 64 threads: three radix-8
// passes in registers, with exchanges through shared memory between them.
#include <cuda_runtime.h>

constexpr int N = 512, THREADS = N / 8;

static __device__ float2 operator+(float2 a, float2 b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
static __device__ float2 operator-(float2 a, float2 b) {
  return make_float2(a.x - b.x, a.y - b.y);
}
static __device__ float2 operator*(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
static __device__ float2 rot90(float2 a) { return make_float2(a.y, -a.x); }

static __device__ void fft2(float2 &a, float2 &b) {
  float2 t = a;
  a = t + b;
  b = t - b;
}

static __device__ void fft4(float2 &a, float2 &b, float2 &c, float2 &d) {
  fft2(a, c);
  fft2(b, d);
  d = rot90(d);
  fft2(a, b);
  fft2(c, d);
}

// In-place transform of eight values; the result is in bit-reversed order.
static __device__ void fft8(float2 (&v)[8]) {
  const float r = 0.70710678f;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    fft2(v[i], v[i + 4]);
  v[5] = v[5] * make_float2(r, -r);
  v[6] = rot90(v[6]);
  v[7] = v[7] * make_float2(-r, -r);
  fft4(v[0], v[1], v[2], v[3]);
  fft4(v[4], v[5], v[6], v[7]);
}

__device__ constexpr int REV[8] = {0, 4, 2, 6, 1, 5, 3, 7};

static __device__ void twiddle(float2 (&v)[8], float angle) {
#pragma unroll
  for (int i = 1; i < 8; ++i) {
    float2 w;
    __sincosf(angle * i, &w.y, &w.x);
    v[REV[i]] = v[REV[i]] * w;
  }
}

// Stores with one stride, loads with another; real and imaginary parts in turn
// so that the buffer stays small.
static __device__ void exchange(float2 (&v)[8], float *buffer, int to,
                                int to_step, int from, int from_step) {
#pragma unroll
  for (int i = 0; i < 8; ++i)
    buffer[to + i * to_step] = v[REV[i]].x;
  __syncthreads();
  float re[8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    re[i] = buffer[from + i * from_step];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 8; ++i)
    buffer[to + i * to_step] = v[REV[i]].y;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 8; ++i)
    v[i] = make_float2(re[i], buffer[from + i * from_step]);
  __syncthreads();
}

extern "C" __global__ void __launch_bounds__(THREADS)
    fft512(const float2 *__restrict__ in, float2 *__restrict__ out) {
  __shared__ float buffer[8 * 8 * 9];
  const int t = threadIdx.x, hi = t / 8, lo = t % 8;
  const float tau = 6.28318531f;
  in += blockIdx.x * N + t;
  out += blockIdx.x * N + t;

  float2 v[8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    v[i] = in[i * THREADS];
  fft8(v);
  twiddle(v, -tau / N * t);
  exchange(v, buffer, hi * 8 + lo, 72, hi * 72 + lo, 8);
  fft8(v);
  twiddle(v, -tau / 64 * lo);
  exchange(v, buffer, hi * 72 + lo, 8, hi * 72 + lo * 8, 1);
  fft8(v);
  // Thread (hi, lo) holds frequencies hi + 8 lo + 64 k.
#pragma unroll
  for (int i = 0; i < 8; ++i)
    out[i * THREADS + hi + 8 * lo - t] = v[REV[i]];
}
