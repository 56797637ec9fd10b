// CUB radix sort of (key, value) pairs held by one block:
// 32-bit keys, and 64-bit keys in descending order.
#include <cstdint>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_store.cuh>

template <class Key, int THREADS, int ITEMS, bool DOWN>
static __device__ void sort(Key *keys, uint32_t *values) {
  using Load = cub::BlockLoad<Key, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
  using LoadV =
      cub::BlockLoad<uint32_t, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<Key, THREADS, ITEMS, uint32_t>;
  __shared__ union {
    typename Load::TempStorage load;
    typename LoadV::TempStorage load_v;
    typename Sort::TempStorage sort;
  } temp;
  keys += (size_t)blockIdx.x * THREADS * ITEMS;
  values += (size_t)blockIdx.x * THREADS * ITEMS;
  Key k[ITEMS];
  uint32_t v[ITEMS];
  Load(temp.load).Load(keys, k);
  __syncthreads();
  LoadV(temp.load_v).Load(values, v);
  __syncthreads();
  if (DOWN)
    Sort(temp.sort).SortDescendingBlockedToStriped(k, v);
  else
    Sort(temp.sort).SortBlockedToStriped(k, v);
  cub::StoreDirectStriped<THREADS>(threadIdx.x, keys, k);
  cub::StoreDirectStriped<THREADS>(threadIdx.x, values, v);
}

extern "C" __global__ void __launch_bounds__(256)
    sort32(uint32_t *keys, uint32_t *values) {
  sort<uint32_t, 256, 8, false>(keys, values);
}
extern "C" __global__ void __launch_bounds__(128)
    sort64_down(uint64_t *keys, uint32_t *values) {
  sort<uint64_t, 128, 6, true>(keys, values);
}
