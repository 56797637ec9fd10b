// Acoustic wave step in double precision: 8th-order 25-point Laplacian in
// space. A block sweeps along z; each thread keeps its column of nine planes in
// registers.
#include <cuda_runtime.h>

constexpr int R = 4, BX = 32, BY = 8;

__constant__ double COEF[R + 1] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315,
                                   -1.0 / 560};

extern "C" __global__ void __launch_bounds__(BX *BY)
    wave(const double *__restrict__ now, const double *__restrict__ before,
         const double *__restrict__ speed2, double *__restrict__ next, int nx,
         int ny, int nz, double dt2, double rh2) {
  __shared__ double plane[BY + 2 * R][BX + 2 * R];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx + R, y = blockIdx.y * BY + ty + R;
  const bool inside = x < nx - R && y < ny - R;
  const long stride = (long)nx * ny;
  long at = (long)min(y, ny - 1) * nx + min(x, nx - 1);

  double column[2 * R + 1];
#pragma unroll
  for (int i = 1; i <= 2 * R; ++i)
    column[i] = now[at + (i - 1) * stride];

  at += R * stride;
  for (int z = R; z < nz - R; ++z, at += stride) {
#pragma unroll
    for (int i = 0; i < 2 * R; ++i)
      column[i] = column[i + 1];
    column[2 * R] = now[at + R * stride];

    __syncthreads();
    plane[ty + R][tx + R] = column[R];
    if (ty < R) {
      plane[ty][tx + R] = now[at - (long)R * nx];
      plane[ty + BY + R][tx + R] = y + BY < ny ? now[at + (long)BY * nx] : 0.0;
    }
    if (tx < R) {
      plane[ty + R][tx] = now[at - R];
      plane[ty + R][tx + BX + R] = x + BX < nx ? now[at + BX] : 0.0;
    }
    __syncthreads();

    if (inside) {
      double sum = 3 * COEF[0] * column[R];
#pragma unroll
      for (int r = 1; r <= R; ++r)
        sum +=
            COEF[r] * (column[R - r] + column[R + r] +
                       plane[ty + R - r][tx + R] + plane[ty + R + r][tx + R] +
                       plane[ty + R][tx + R - r] + plane[ty + R][tx + R + r]);
      next[at] = 2 * column[R] - before[at] + dt2 * rh2 * speed2[at] * sum;
    }
  }
}
