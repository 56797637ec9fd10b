// CUB device-wide radix sort: cub::DeviceRadixSort's own kernels
// for pairs of 32-bit keys and values.
#include <cub/device/device_radix_sort.cuh>

cudaError_t sort(void *temp, size_t &bytes, const unsigned *keys,
                 unsigned *keys_out, const unsigned *values,
                 unsigned *values_out, int n) {
  return cub::DeviceRadixSort::SortPairs(temp, bytes, keys, keys_out, values,
                                         values_out, n);
}
