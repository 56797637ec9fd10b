// Half-precision matrix product by wgmma, sm_90a, through inline assembly: LLVM
// has no intrinsic for it. A warpgroup computes a tile of 64 rows; A and B lie
// in shared memory as the descriptors say. The accumulators are results and
// tied operands.
#include "device.h"

// Where a matrix lies in shared memory; no swizzling, 128 bytes to the next
// core matrix.
static __device__ unsigned long long descriptor(const void *matrix) {
  const unsigned long long step = 128 >> 4;
  return (shared_address(matrix) & 0x3ffff) >> 4 | step << 16 | step * 2 << 32;
}

static __device__ void fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
static __device__ void commit_and_wait() {
  asm volatile("wgmma.commit_group.sync.aligned;\n"
               "wgmma.wait_group.sync.aligned 0;" ::
                   : "memory");
}

static __device__ void mma64(float (&d)[32], unsigned long long a,
                             unsigned long long b, int add) {
  asm volatile("{\n"
               ".reg .pred p;\n"
               "setp.ne.b32 p, %34, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7,"
               " %8, %9, %10, %11, %12, %13, %14, %15,"
               " %16, %17, %18, %19, %20, %21, %22, %23,"
               " %24, %25, %26, %27, %28, %29, %30, %31}, "
               "%32, %33, p, 1, 1, 0, 0;\n"
               "}\n"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]),
                 "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]),
                 "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
                 "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]),
                 "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]),
                 "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
                 "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
                 "+f"(d[30]), "+f"(d[31])
               : "l"(a), "l"(b), "r"(add));
}

static __device__ void mma128(float (&d)[64], unsigned long long a,
                              unsigned long long b, int add) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7,"
      " %8, %9, %10, %11, %12, %13, %14, %15,"
      " %16, %17, %18, %19, %20, %21, %22, %23,"
      " %24, %25, %26, %27, %28, %29, %30, %31,"
      " %32, %33, %34, %35, %36, %37, %38, %39,"
      " %40, %41, %42, %43, %44, %45, %46, %47,"
      " %48, %49, %50, %51, %52, %53, %54, %55,"
      " %56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, p, 1, 1, 0, 0;\n"
      "}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
        "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]),
        "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),
        "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]),
        "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]),
        "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]),
        "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]),
        "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]),
        "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]),
        "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(a), "l"(b), "r"(add));
}

template <int Count>
static __device__ void store(const float (&c)[Count], float2 *C, int N) {
  const int thread = thread_index();
  const int row = thread / 32 * 16 + thread % 32 / 4;
#pragma unroll
  for (int j = 0; j < Count / 4; ++j)
#pragma unroll
    for (int h = 0; h < 2; ++h)
      C[((row + h * 8) * N + j * 8) / 2 + thread % 4] =
          float2{c[j * 4 + h * 2], c[j * 4 + h * 2 + 1]};
}

static __device__ void copy(uint4 *to, const uint4 *from, int count) {
  for (int i = thread_index(); i < count; i += 128)
    to[i] = from[i];
}

static __device__ void barrier() { asm volatile("bar.sync 0;" ::: "memory"); }

// 64 x 64, 32 accumulators.
extern "C" __global__ void __launch_bounds__(128)
    wgmma_64(const uint4 *A, const uint4 *B, float2 *C, int N, int K) {
  __shared__ alignas(128) uint4 a_tile[128], b_tile[128];
  float c[32];
  for (int k = 0; k < K; k += 16) {
    copy(a_tile, A + k * 64 / 8, 128);
    copy(b_tile, B + k * 64 / 8, 128);
    barrier();
    fence();
    mma64(c, descriptor(a_tile), descriptor(b_tile), k != 0);
    commit_and_wait();
    barrier();
  }
  store(c, C, N);
}

// 64 x 128 as one instruction, and two tiles of 64 x 64 that share A.
extern "C" __global__ void __launch_bounds__(128)
    wgmma_128(const uint4 *A, const uint4 *B, float2 *C, int N, int K) {
  __shared__ alignas(128) uint4 a_tile[128], b_tile[256];
  float c[64], left[32], right[32];
  for (int k = 0; k < K; k += 16) {
    copy(a_tile, A + k * 64 / 8, 128);
    copy(b_tile, B + k * 128 / 8, 256);
    barrier();
    fence();
    mma128(c, descriptor(a_tile), descriptor(b_tile), k != 0);
    mma64(left, descriptor(b_tile), descriptor(a_tile), k != 0);
    mma64(right, descriptor(b_tile + 128), descriptor(a_tile), k != 0);
    commit_and_wait();
    barrier();
  }
  store(c, C, N);
  store(left, C + 64 * N, N);
  store(right, C + 128 * N, N);
}
