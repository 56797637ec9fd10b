// The part of CUDA that the examples use, in C++ for the host.
//
// What CUDA only approximates is computed in double precision and rounded,
// which is how the interpreter defines these functions, too.
#ifndef HOST_CUDA_H
#define HOST_CUDA_H

#include "block.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <math.h>

using std::max;
using std::min;

#define __global__
#define __device__
#define __constant__
// One block runs at a time, and all its threads in one thread of the host.
#define __shared__ static
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline
#define __launch_bounds__(...)

struct alignas(4) uchar4 {
  unsigned char x, y, z, w;
};
struct alignas(8) float2 {
  float x, y;
};
struct float3 {
  float x, y, z;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

inline uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z,
                          unsigned char w) {
  return {x, y, z, w};
}
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float3 make_float3(float x, float y, float z) { return {x, y, z}; }
inline float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }

inline void __syncthreads() { host::barrier(); }

// Shuffles: values of one word.
template <class T> T shuffleFrom(unsigned mask, T value, unsigned source) {
  static_assert(sizeof(T) == 4);
  const auto &words = host::gather(mask, std::bit_cast<uint32_t>(value));
  return std::bit_cast<T>(words[source]);
}
template <class T> T __shfl_xor_sync(unsigned mask, T value, int with) {
  return shuffleFrom(mask, value, host::lane() ^ with);
}
template <class T> T __shfl_sync(unsigned mask, T value, int source) {
  return shuffleFrom(mask, value, source % 32);
}
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned by) {
  unsigned lane = host::lane();
  return shuffleFrom(mask, value, lane < by ? lane : lane - by);
}
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned by) {
  unsigned lane = host::lane();
  return shuffleFrom(mask, value, lane + by > 31 ? lane : lane + by);
}
inline unsigned __ballot_sync(unsigned mask, int predicate) {
  const auto &words = host::gather(mask, predicate != 0);
  unsigned ballot = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    ballot |= words[lane] << lane;
  return ballot;
}

// Fibres do not interrupt each other.
template <class T, class U> T atomicAdd(T *address, U value) {
  T old = *address;
  *address = old + T(value);
  return old;
}

inline int __popc(unsigned x) { return std::popcount(x); }
inline int __ffs(unsigned x) { return x ? std::countr_zero(x) + 1 : 0; }
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
  uint64_t both = uint64_t(high) << 32 | low;
  return unsigned(both >> (by % 32));
}
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
  uint64_t both = uint64_t(high) << 32 | low;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i)
    result |= unsigned(both >> (selector >> 4 * i & 7) * 8 & 255) << 8 * i;
  return result;
}

inline float __expf(float x) { return float(exp2(double(x * 1.44269504f))); }
inline float __log2f(float x) { return float(log2(double(x))); }
inline float rsqrtf(float x) { return float(1 / sqrt(double(x))); }
inline void __sincosf(float x, float *sine, float *cosine) {
  *sine = float(sin(double(x)));
  *cosine = float(cos(double(x)));
}

#endif
