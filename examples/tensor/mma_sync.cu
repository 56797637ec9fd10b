// Half-precision matrix product by ldmatrix and mma.sync, sm_80 and later,
// through inline assembly with sums and results of their own, as libraries of
// templates write it: a warp computes a 64 x 32 tile. A and C lie by rows, B by
// columns; K is a multiple of 16. (llvm-tests/NVPTX/tensor-mma.ll has it
// through LLVM's intrinsics.)
#include "device.h"

static __device__ void load(half2_bits (&to)[4], unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(from));
}

static __device__ void mma(float (&d)[4], const half2_bits (&a)[4],
                           half2_bits b0, half2_bits b1, const float (&c)[4]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,  %1,  %2,  %3},"
               "{%4,  %5,  %6,  %7},"
               "{%8,  %9},"
               "{%10, %11, %12, %13};\n"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1),
                 "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}

static __device__ void barrier() { asm volatile("bar.sync 0;" ::: "memory"); }

extern "C" __global__ void __launch_bounds__(32)
    mma_assembly(const uint4 *A, const uint4 *B, float2 *C, int N, int K) {
  // Rows of 16 halves, padded to 24 against bank conflicts.
  __shared__ alignas(16) unsigned short a_tile[64][24], b_tile[32][24];
  const int lane = thread_index();
  const int row = block_index() / (N / 32) * 64;
  const int column = block_index() % (N / 32) * 32;
  float c[4][4][4] = {};
  for (int k = 0; k < K; k += 16) {
    barrier();
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int r = i * 16 + lane / 2, h = lane % 2 * 8;
      *(uint4 *)&a_tile[r][h] = A[((row + r) * K + k + h) / 8];
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int r = i * 16 + lane / 2, h = lane % 2 * 8;
      *(uint4 *)&b_tile[r][h] = B[((column + r) * K + k + h) / 8];
    }
    barrier();
    half2_bits a[4][4], b[2][4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      load(a[i], shared_address(&a_tile[i * 16 + lane % 16][lane / 16 * 8]));
#pragma unroll
    for (int i = 0; i < 2; ++i)
      load(b[i],
           shared_address(
               &b_tile[i * 16 + lane / 16 * 8 + lane % 8][lane / 8 % 2 * 8]));
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        mma(c[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1],
            c[i][j]);
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int h = 0; h < 2; ++h)
        C[((row + i * 16 + h * 8 + lane / 4) * N + column + j * 8) / 2 +
          lane % 4] = float2{c[i][j][h * 2], c[i][j][h * 2 + 1]};
}
