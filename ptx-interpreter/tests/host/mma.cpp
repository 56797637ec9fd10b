// The mathematics of examples/mma.cu without tensor cores.
#include "launch.h"

/// C = A B with A by rows and B by columns. Sums go in double precision and are
/// rounded after every 16 products, as the interpreter does for one
/// instruction.
void repeat(Launch &launch) {
  const auto *a = launch.buffer<_Float16>(0), *b = launch.buffer<_Float16>(1);
  float *c = launch.buffer<float>(2);
  int m = launch.argument<int>(3), n = launch.argument<int>(4);
  int depth = launch.argument<int>(5);
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int first = 0; first < depth; first += 16) {
        double part = sum;
        for (int k = first; k < first + 16; ++k)
          part += double(a[row * depth + k]) * double(b[column * depth + k]);
        sum = float(part);
      }
      c[row * n + column] = sum;
    }
}
