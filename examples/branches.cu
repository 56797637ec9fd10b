// Branches and predicates: a Mandelbrot set with early tests and colouring, a
// binary search for segment bounds, and a classifier of intersecting boxes.
#include <cuda_runtime.h>

static __device__ int lower_bound(const float *keys, int n, float key) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (keys[mid] < key)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

extern "C" __global__ void mandelbrot(uchar4 *image, int width, int height,
                                      float x0, float y0, float step, int limit,
                                      const float *palette_keys,
                                      const uchar4 *palette, int colours) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height)
    return;
  float cx = x0 + px * step, cy = y0 + py * step;
  float q = (cx - 0.25f) * (cx - 0.25f) + cy * cy;
  bool cardioid = q * (q + cx - 0.25f) <= 0.25f * cy * cy;
  bool bulb = (cx + 1) * (cx + 1) + cy * cy <= 0.0625f;
  uchar4 colour = make_uchar4(0, 0, 0, 255);
  if (!cardioid && !bulb) {
    float x = 0, y = 0, old_x = 0, old_y = 0;
    int i = 0, period = 0;
    for (; i < limit; ++i) {
      float xx = x * x, yy = y * y;
      if (xx + yy > 16)
        break;
      y = 2 * x * y + cy;
      x = xx - yy + cx;
      if (x == old_x && y == old_y) {
        i = limit;
        break;
      }
      if (++period > 20) {
        period = 0;
        old_x = x;
        old_y = y;
      }
    }
    if (i < limit) {
      float smooth = i + 1 - __log2f(__log2f(x * x + y * y) * 0.5f);
      int c = lower_bound(palette_keys, colours, smooth);
      colour = palette[c < colours ? c : colours - 1];
    }
  }
  image[py * width + px] = colour;
}

struct Box {
  float lo[3], hi[3];
};

// For each query box: how many of the sorted boxes touch, contain or lie in it.
extern "C" __global__ void classify(const Box *__restrict__ boxes,
                                    const float *__restrict__ sorted_lo, int n,
                                    const Box *__restrict__ queries,
                                    int4 *__restrict__ counts, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= m)
    return;
  Box q = queries[t];
  int end = lower_bound(sorted_lo, n, q.hi[0]);
  int touch = 0, contain = 0, within = 0, corner = 0;
  for (int i = 0; i < end; ++i) {
    Box b = boxes[i];
    bool apart = false, in = true, out = true, left = true;
#pragma unroll
    for (int d = 0; d < 3; ++d) {
      bool lo_in = b.lo[d] >= q.lo[d], hi_in = b.hi[d] <= q.hi[d];
      apart |= b.hi[d] < q.lo[d] || b.lo[d] > q.hi[d];
      in &= lo_in && hi_in;
      out &= !lo_in && !hi_in;
      left &= lo_in != hi_in;
    }
    if (apart)
      continue;
    if (in)
      ++within;
    else if (out)
      ++contain;
    else if (left)
      ++corner;
    else
      ++touch;
  }
  counts[t] = make_int4(touch, contain, within, corner);
}
