// C = alpha * A * B + beta * C in single precision, row-major.
// A block computes a 128 x 128 tile of C; each thread an 8 x 8 tile in
// registers.
#include <cuda_runtime.h>

constexpr int TILE = 128, DEPTH = 8, REG = 8;
constexpr int THREADS = (TILE / REG) * (TILE / REG);

extern "C" __global__ void __launch_bounds__(THREADS)
    gemm(const float *__restrict__ A, const float *__restrict__ B,
         float *__restrict__ C, int M, int N, int K, float alpha, float beta) {
  __shared__ float As[DEPTH][TILE + 4]; // transposed, padded against conflicts
  __shared__ float Bs[DEPTH][TILE];

  const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
  const int ty = threadIdx.x / (TILE / REG) * REG;
  const int tx = threadIdx.x % (TILE / REG) * REG;
  // Each thread brings one float4 of A and one of B per step.
  const int a_row = threadIdx.x / 2, a_col = threadIdx.x % 2 * 4;
  const int b_row = threadIdx.x / 32, b_col = threadIdx.x % 32 * 4;

  const float *a = A + (row0 + a_row) * K + a_col;
  const float *b = B + b_row * N + col0 + b_col;
  float acc[REG][REG] = {};

  for (int k0 = 0; k0 < K; k0 += DEPTH) {
    float4 va = *reinterpret_cast<const float4 *>(a);
    float4 vb = *reinterpret_cast<const float4 *>(b);
    a += DEPTH;
    b += DEPTH * N;
    __syncthreads();
    As[a_col + 0][a_row] = va.x;
    As[a_col + 1][a_row] = va.y;
    As[a_col + 2][a_row] = va.z;
    As[a_col + 3][a_row] = va.w;
    *reinterpret_cast<float4 *>(&Bs[b_row][b_col]) = vb;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      float ra[REG], rb[REG];
#pragma unroll
      for (int i = 0; i < REG; ++i) {
        ra[i] = As[k][ty + i];
        rb[i] = Bs[k][tx + i];
      }
#pragma unroll
      for (int i = 0; i < REG; ++i)
#pragma unroll
        for (int j = 0; j < REG; ++j)
          acc[i][j] = fmaf(ra[i], rb[j], acc[i][j]);
    }
  }

#pragma unroll
  for (int i = 0; i < REG; ++i) {
    float *c = C + (row0 + ty + i) * N + col0 + tx;
#pragma unroll
    for (int j = 0; j < REG; j += 4) {
      float4 old = *reinterpret_cast<float4 *>(c + j);
      old.x = alpha * acc[i][j + 0] + beta * old.x;
      old.y = alpha * acc[i][j + 1] + beta * old.y;
      old.z = alpha * acc[i][j + 2] + beta * old.z;
      old.w = alpha * acc[i][j + 3] + beta * old.w;
      *reinterpret_cast<float4 *>(c + j) = old;
    }
  }
}
