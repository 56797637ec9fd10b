// Half-precision matrix product on tensor cores through inline assembly, with
// accumulators tied to the instruction: a warp computes a 32 x 64 tile.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#if __CUDA_ARCH__ >= 800
// D += A (16 x 16) * B (16 x 8)
static __device__ void mma(float (&d)[4], const unsigned (&a)[4],
                           const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                 "r"(b[1]));
}
#else
// Without m16n8k16: the same tile by packed half multiply-adds and shuffles.
static __device__ void mma(float (&d)[4], const unsigned (&a)[4],
                           const unsigned (&b)[2]) {
  const int lane = threadIdx.x % 32, group = lane / 4, pair = lane % 4;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    int half_k = k / 4, from = k % 4;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      int row = group, col = pair * 2 + j % 2;
      unsigned x = __shfl_sync(~0u, a[half_k * 2 + j / 2], row * 4 + from);
      unsigned y = __shfl_sync(~0u, b[half_k], col * 4 + from);
      float2 fx = __half22float2(*reinterpret_cast<__half2 *>(&x));
      float2 fy = __half22float2(*reinterpret_cast<__half2 *>(&y));
      d[j] += fx.x * fy.x + fx.y * fy.y;
    }
  }
}
#endif

// A is M x K by rows, B is K x N by columns, C is M x N by rows.
extern "C" __global__ void __launch_bounds__(128)
    mma_gemm(const __half *__restrict__ A, const __half *__restrict__ B,
             float *__restrict__ C, int M, int N, int K) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32, group = lane / 4, pair = lane % 4 * 2;
  const int row0 = warp / (N / 64) * 32, col0 = warp % (N / 64) * 64;
  if (row0 >= M)
    return;
  float acc[2][8][4] = {};

  for (int k = 0; k < K; k += 16) {
    unsigned a[2][4], b[8][2];
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
      for (int r = 0; r < 4; ++r)
        a[i][r] = *reinterpret_cast<const unsigned *>(
            A + (size_t)(row0 + i * 16 + r % 2 * 8 + group) * K + k +
            r / 2 * 8 + pair);
#pragma unroll
    for (int j = 0; j < 8; ++j)
#pragma unroll
      for (int r = 0; r < 2; ++r)
        b[j][r] = *reinterpret_cast<const unsigned *>(
            B + (size_t)(col0 + j * 8 + group) * K + k + r * 8 + pair);
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j)
        mma(acc[i][j], a[i], b[j]);
  }

#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
#pragma unroll
      for (int r = 0; r < 4; ++r)
        C[(size_t)(row0 + i * 16 + r / 2 * 8 + group) * N + col0 + j * 8 +
          pair + r % 2] = acc[i][j][r];
}
