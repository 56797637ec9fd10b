// Attention in one pass: softmax(Q K^T) V without storing the scores. A thread
// owns one query of 64 numbers and its output in registers; many live values.
#include <cuda_runtime.h>

constexpr int HEAD = 64, TILE = 32, QUERIES = 128;

extern "C" __global__ void __launch_bounds__(QUERIES)
    attention(const float4 *__restrict__ Q, const float4 *__restrict__ K,
              const float4 *__restrict__ V, float4 *__restrict__ O, int length,
              float scale) {
  __shared__ float4 k_tile[TILE][HEAD / 4], v_tile[TILE][HEAD / 4];
  const size_t head = (size_t)blockIdx.y * length * (HEAD / 4);
  const int query = blockIdx.x * QUERIES + threadIdx.x;
  const int row = min(query, length - 1);

  float4 q[HEAD / 4], o[HEAD / 4];
#pragma unroll
  for (int i = 0; i < HEAD / 4; ++i) {
    q[i] = Q[head + (size_t)row * (HEAD / 4) + i];
    o[i] = make_float4(0, 0, 0, 0);
  }
  float top = -INFINITY, sum = 0;

  for (int base = 0; base < length; base += TILE) {
    __syncthreads();
    for (int i = threadIdx.x; i < TILE * HEAD / 4; i += QUERIES) {
      size_t at = head + (size_t)base * (HEAD / 4) + i;
      bool in = base + i / (HEAD / 4) < length;
      if (in) {
        k_tile[0][i] = K[at];
        v_tile[0][i] = V[at];
      }
    }
    __syncthreads();

    for (int t = 0; t < TILE && base + t < length; ++t) {
      float s = 0;
#pragma unroll
      for (int i = 0; i < HEAD / 4; ++i) {
        float4 k = k_tile[t][i];
        s += q[i].x * k.x + q[i].y * k.y + q[i].z * k.z + q[i].w * k.w;
      }
      s *= scale;
      float new_top = fmaxf(top, s);
      float shrink = __expf(top - new_top), p = __expf(s - new_top);
      top = new_top;
      sum = sum * shrink + p;
#pragma unroll
      for (int i = 0; i < HEAD / 4; ++i) {
        float4 v = v_tile[t][i];
        o[i].x = o[i].x * shrink + p * v.x;
        o[i].y = o[i].y * shrink + p * v.y;
        o[i].z = o[i].z * shrink + p * v.z;
        o[i].w = o[i].w * shrink + p * v.w;
      }
    }
  }
  if (query >= length)
    return;
  float inv = 1 / sum;
#pragma unroll
  for (int i = 0; i < HEAD / 4; ++i)
    O[head + (size_t)query * (HEAD / 4) + i] =
        make_float4(o[i].x * inv, o[i].y * inv, o[i].z * inv, o[i].w * inv);
}
