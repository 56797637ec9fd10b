// Half-precision matrix products by wmma, sm_70 and later: a warp computes a
// 32 x 32 tile of C = A * B. A and C lie by rows, B by columns; K is a multiple
// of 16.
#include "device.h"

// Through clang's builtins.
extern "C" __global__ void __launch_bounds__(128)
    wmma_builtins(const int *A, const int *B, float *C, int N, int K) {
  const int warp = block_index() * 4 + thread_index() / 32;
  const int row = warp / (N / 32) * 32, column = warp % (N / 32) * 32;
  float c[2][2][8] = {};
  for (int k = 0; k < K; k += 16) {
    int a[2][8], b[2][8];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      __hmma_m16n16k16_ld_a(a[i], A + ((row + i * 16) * K + k) / 2, K, 0);
      __hmma_m16n16k16_ld_b(b[i], B + ((column + i * 16) * K + k) / 2, K, 1);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
      for (int j = 0; j < 2; ++j)
        __hmma_m16n16k16_mma_f32f32(c[i][j], a[i], b[j], c[i][j], 1, 0);
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 2; ++j)
      __hmma_m16n16k16_st_c_f32(C + (row + i * 16) * N + column + j * 16,
                                c[i][j], N, 0);
}

static __device__ void load_a(half2_bits (&a)[8], const int *from, int stride) {
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.f16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]), "=r"(a[4]),
                 "=r"(a[5]), "=r"(a[6]), "=r"(a[7])
               : "l"(from), "r"(stride)
               : "memory");
}

static __device__ void load_b(half2_bits (&b)[8], const int *from, int stride) {
  asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.f16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
               : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3]), "=r"(b[4]),
                 "=r"(b[5]), "=r"(b[6]), "=r"(b[7])
               : "l"(from), "r"(stride)
               : "memory");
}

static __device__ void mma(float (&d)[8], const half2_bits (&a)[8],
                           const half2_bits (&b)[8]) {
  asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 "
               "{%0, %1, %2, %3, %4, %5, %6, %7}, "
               "{%8, %9, %10, %11, %12, %13, %14, %15}, "
               "{%16, %17, %18, %19, %20, %21, %22, %23}, "
               "{%0, %1, %2, %3, %4, %5, %6, %7};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]),
                 "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]),
                 "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(b[0]), "r"(b[1]),
                 "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]),
                 "r"(b[7]));
}

static __device__ void store(float *to, const float (&d)[8], int stride) {
  asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.f32 "
               "[%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;" ::"l"(to),
               "f"(d[0]), "f"(d[1]), "f"(d[2]), "f"(d[3]), "f"(d[4]), "f"(d[5]),
               "f"(d[6]), "f"(d[7]), "r"(stride)
               : "memory");
}

// Through inline assembly.
extern "C" __global__ void __launch_bounds__(128)
    wmma_assembly(const int *A, const int *B, float *C, int N, int K) {
  const int warp = block_index() * 4 + thread_index() / 32;
  const int row = warp / (N / 32) * 32, column = warp % (N / 32) * 32;
  float c[2][2][8] = {};
  for (int k = 0; k < K; k += 16) {
    half2_bits a[2][8], b[2][8];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      load_a(a[i], A + ((row + i * 16) * K + k) / 2, K);
      load_b(b[i], B + ((column + i * 16) * K + k) / 2, K);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
      for (int j = 0; j < 2; ++j)
        mma(c[i][j], a[i], b[j]);
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 2; ++j)
      store(C + (row + i * 16) * N + column + j * 16, c[i][j], N);
}
