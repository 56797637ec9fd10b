// SHA-256 search: each thread hashes an 80-byte block header twice with its own
// nonce and reports those below a target. All 64 rounds are unrolled.
#include <cstdint>
#include <cuda_runtime.h>

__constant__ uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

struct Digest {
  uint32_t h[8];
};

__device__ constexpr Digest INIT = {{0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                     0xa54ff53a, 0x510e527f, 0x9b05688c,
                                     0x1f83d9ab, 0x5be0cd19}};

static __device__ __forceinline__ uint32_t rotr(uint32_t x, int n) {
  return __funnelshift_r(x, x, n);
}

static __device__ __forceinline__ Digest compress(Digest s, uint32_t (&w)[16]) {
  uint32_t a = s.h[0], b = s.h[1], c = s.h[2], d = s.h[3];
  uint32_t e = s.h[4], f = s.h[5], g = s.h[6], h = s.h[7];
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    if (i >= 16) {
      uint32_t u = w[(i + 1) % 16], v = w[(i + 14) % 16];
      w[i % 16] += (rotr(u, 7) ^ rotr(u, 18) ^ (u >> 3)) + w[(i + 9) % 16] +
                   (rotr(v, 17) ^ rotr(v, 19) ^ (v >> 10));
    }
    uint32_t t = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) +
                 ((e & f) ^ (~e & g)) + K[i] + w[i % 16];
    uint32_t u = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) +
                 ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t;
    d = c;
    c = b;
    b = a;
    a = t + u;
  }
  return {{s.h[0] + a, s.h[1] + b, s.h[2] + c, s.h[3] + d, s.h[4] + e,
           s.h[5] + f, s.h[6] + g, s.h[7] + h}};
}

// The first 64 bytes of the header are the same for all: their state is given.
extern "C" __global__ void sha256(Digest middle, uint3 tail, uint32_t first,
                                  uint32_t target, uint32_t *found,
                                  uint32_t *count) {
  uint32_t nonce = first + blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t w[16] = {tail.x, tail.y, tail.z, nonce, 0x80000000};
  w[15] = 80 * 8;
  Digest d = compress(middle, w);
  uint32_t v[16] = {};
#pragma unroll
  for (int i = 0; i < 8; ++i)
    v[i] = d.h[i];
  v[8] = 0x80000000;
  v[15] = 32 * 8;
  d = compress(INIT, v);
  if (__byte_perm(d.h[7], 0, 0x0123) < target)
    found[atomicAdd(count, 1)] = nonce;
}
