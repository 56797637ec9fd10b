// CUB device-wide reductions: cub::DeviceReduce's own kernels for
// sums of floats and the place of the smallest double.
#include <cub/device/device_reduce.cuh>

cudaError_t sum(void *temp, size_t &bytes, const float *in, float *out, int n) {
  return cub::DeviceReduce::Sum(temp, bytes, in, out, n);
}
cudaError_t smallest(void *temp, size_t &bytes, const double *in,
                     cub::KeyValuePair<int, double> *out, int n) {
  return cub::DeviceReduce::ArgMin(temp, bytes, in, out, n);
}
