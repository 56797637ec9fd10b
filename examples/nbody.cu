// All-pairs gravity: each thread moves two bodies, sources come through shared
// memory; then a leapfrog step. Positions carry the mass in w.
#include <cuda_runtime.h>

constexpr int TILE = 128;

static __device__ float3 pull(float3 acc, float4 p, float4 q, float eps2) {
  float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
  float inv = rsqrtf(dx * dx + dy * dy + dz * dz + eps2);
  float s = q.w * inv * inv * inv;
  acc.x += dx * s;
  acc.y += dy * s;
  acc.z += dz * s;
  return acc;
}

static __device__ float4 body(const float4 *all, int i, int n) {
  if (i < n)
    return all[i];
  return make_float4(0, 0, 0, 0); // no mass, no pull
}

static __device__ void kick(const float4 *from, float4 *to, float4 *vel, int i,
                            int n, float3 acc, float dt) {
  if (i >= n)
    return;
  float4 p = from[i], v = vel[i];
  v.x += acc.x * dt;
  v.y += acc.y * dt;
  v.z += acc.z * dt;
  vel[i] = v;
  to[i] = make_float4(p.x + v.x * dt, p.y + v.y * dt, p.z + v.z * dt, p.w);
}

extern "C" __global__ void __launch_bounds__(TILE)
    nbody(const float4 *__restrict__ from, float4 *__restrict__ to,
          float4 *__restrict__ vel, int n, float dt, float eps2) {
  __shared__ float4 tile[TILE];
  const int i = blockIdx.x * 2 * TILE + threadIdx.x, j = i + TILE;
  float4 p = body(from, i, n), q = body(from, j, n);
  float3 ap = make_float3(0, 0, 0), aq = ap;

  for (int base = 0; base < n; base += TILE) {
    tile[threadIdx.x] = body(from, base + threadIdx.x, n);
    __syncthreads();
#pragma unroll 8
    for (int t = 0; t < TILE; ++t) {
      float4 source = tile[t];
      ap = pull(ap, p, source, eps2);
      aq = pull(aq, q, source, eps2);
    }
    __syncthreads();
  }
  kick(from, to, vel, i, n, ap, dt);
  kick(from, to, vel, j, n, aq, dt);
}
