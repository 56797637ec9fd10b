// What CUB's kernels compute, in plain C++.
#include "launch.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <tuple>

namespace {

constexpr size_t Bins = 256;

/// Sorts `count` pairs by some bits of their keys; equal keys keep their order.
template <class Key>
void sortPairs(const Key *keys, const uint32_t *values, Key *keysOut,
               uint32_t *valuesOut, size_t count, int begin, int end,
               bool descending) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  auto part = [&](size_t i) {
    return keys[i] << (8 * sizeof(Key) - end) >>
           (8 * sizeof(Key) - end + begin);
  };
  std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) {
    return descending ? part(i) > part(j) : part(i) < part(j);
  });
  std::vector<Key> k(keys, keys + count);
  std::vector<uint32_t> v(values, values + count);
  for (size_t i = 0; i < count; ++i) {
    keysOut[i] = k[order[i]];
    valuesOut[i] = v[order[i]];
  }
}

/// examples/cub/radix_sort.cu: each block sorts its own pairs in place.
template <class Key>
void sortBlocks(Launch &launch, size_t items, bool descending) {
  for (size_t block = 0; block < launch.blocks.x; ++block) {
    Key *keys = launch.buffer<Key>(0) + block * items;
    uint32_t *values = launch.buffer<uint32_t>(1) + block * items;
    sortPairs(keys, values, keys, values, items, 0, 8 * sizeof(Key),
              descending);
  }
}

void singleTileSort(Launch &launch) {
  sortPairs(launch.buffer<uint32_t>(0), launch.buffer<uint32_t>(2),
            launch.buffer<uint32_t>(1), launch.buffer<uint32_t>(3),
            launch.argument<int>(4), launch.argument<int>(5),
            launch.argument<int>(6), false);
}

unsigned emptyPlaces(unsigned count, unsigned tile) {
  return (count + tile - 1) / tile * tile - count;
}

/// Counts the digits of all passes, beginning with the lowest. The empty places
/// of the last tile count as the greatest key: nothing begins behind it.
void sortHistogram(Launch &launch) {
  uint32_t *bins = launch.buffer<uint32_t>(0);
  const uint32_t *keys = launch.buffer<uint32_t>(1);
  for (int i = 0; i < launch.argument<int>(2); ++i)
    for (int pass = 0; pass < 4; ++pass)
      ++bins[pass * Bins + (keys[i] >> 8 * pass) % Bins];
  for (int pass = 0; pass < 4; ++pass)
    bins[pass * Bins + Bins - 1] += emptyPlaces(launch.argument<int>(2), 2048);
}

void exclusiveSums(Launch &launch) {
  for (size_t pass = 0; pass < launch.blocks.x; ++pass) {
    uint32_t *bins = launch.buffer<uint32_t>(0) + pass * Bins;
    std::exclusive_scan(bins, bins + Bins, bins, 0u);
  }
}

/// One pass of a sort by digits.
void onesweep(Launch &launch) {
  // Flags and a counter between blocks.
  launch.buffers[0].compared = launch.buffers[1].compared = false;
  bool sm80 = launch.kernel.find("SM_80") != std::string::npos;
  int count = launch.argument<int>(8), bit = launch.argument<int>(9);
  const uint32_t *keys = launch.buffer<uint32_t>(5);
  sortPairs(keys, launch.buffer<uint32_t>(7), launch.buffer<uint32_t>(4),
            launch.buffer<uint32_t>(6), count, bit, bit + 8, false);
  // Where each bin ends; the empty places of the last tile are in the last one.
  uint32_t *ends = launch.buffer<uint32_t>(2);
  std::copy_n(launch.buffer<uint32_t>(3), Bins, ends);
  for (int i = 0; i < count; ++i)
    ++ends[(keys[i] >> bit) % Bins];
  ends[Bins - 1] += emptyPlaces(count, sm80 ? 8064 : 8832);
}

struct Indexed {
  int key;
  double value;
};

Indexed smaller(Indexed a, Indexed b) {
  bool second = b.value < a.value || (b.value == a.value && b.key < a.key);
  return second ? b : a;
}

/// Sums of floats or places of minima: by one block, or a part by each. The
/// blocks take tiles in turn.
void reduce(Launch &launch, bool single) {
  auto is = [&](const char *part) {
    return launch.kernel.find(part) != std::string::npos;
  };
  bool minima = is("KeyValuePair"), pairs = !is("ArgIndexInputIterator");
  size_t count = launch.argument<int>(2), tile = minima ? 1024 : 4096;
  for (size_t block = 0; block < launch.blocks.x; ++block) {
    double sum = single && !minima ? launch.argument<float>(4) : 0;
    Indexed best = {1, std::numeric_limits<double>::infinity()};
    for (size_t i = 0; i < count; ++i) {
      if (i / tile % launch.blocks.x != block)
        continue;
      if (!minima)
        sum += launch.buffer<float>(0)[i];
      else if (pairs)
        best = smaller(best, launch.buffer<Indexed>(0)[i]);
      else
        best = smaller(best, {int(i), launch.buffer<double>(0)[i]});
    }
    if (minima) // the padding stays
      std::tie(launch.buffer<Indexed>(1)[block].key,
               launch.buffer<Indexed>(1)[block].value) =
          std::tie(best.key, best.value);
    else
      launch.buffer<float>(1)[block] = float(sum);
  }
}

/// Every tile's status becomes "not yet"; before the first tile there are 32
/// more.
template <class Word> void initialise(Launch &launch) {
  Word *state = launch.buffer<Word>(0);
  unsigned tiles = launch.argument<int>(1);
  std::fill_n(state, 2 * (32 + tiles), 0);
  for (unsigned tile = 0; tile < tiles; ++tile)
    state[2 * (32 + tile)] = 99;
}

void scanSums(Launch &launch) {
  launch.buffers[2].compared = false;
  int start = launch.argument<bool>(5) ? *launch.buffer<int>(3)
                                       : launch.argument<int>(5, 8);
  const uint32_t *in = launch.buffer<uint32_t>(0);
  std::exclusive_scan(in, in + launch.argument<int>(6),
                      launch.buffer<uint32_t>(1), uint32_t(start));
}

void scanMaxima(Launch &launch) {
  launch.buffers[2].compared = false;
  const double *in = launch.buffer<double>(0);
  std::inclusive_scan(in, in + launch.argument<int>(6),
                      launch.buffer<double>(1),
                      [](double a, double b) { return a < b ? b : a; });
}

} // namespace

void repeat(Launch &launch) {
  auto is = [&](const char *part) {
    return launch.kernel.find(part) != std::string::npos;
  };
  if (launch.kernel == "sort32")
    return sortBlocks<uint32_t>(launch, 256 * 8, false);
  if (launch.kernel == "sort64_down")
    return sortBlocks<uint64_t>(launch, 128 * 6, true);
  if (is("DeviceRadixSortSingleTileKernel"))
    return singleTileSort(launch);
  if (is("DeviceRadixSortHistogramKernel"))
    return sortHistogram(launch);
  if (is("DeviceRadixSortExclusiveSumKernel"))
    return exclusiveSums(launch);
  if (is("DeviceRadixSortOnesweepKernel"))
    return onesweep(launch);
  if (is("DeviceReduceSingleTileKernel"))
    return reduce(launch, true);
  if (is("DeviceReduceKernel"))
    return reduce(launch, false);
  if (is("DeviceScanInitKernel"))
    return is("ScanTileStateId") ? initialise<uint64_t>(launch)
                                 : initialise<uint32_t>(launch);
  if (is("DeviceScanKernel"))
    return is("3Max") ? scanMaxima(launch) : scanSums(launch);
  std::fprintf(stderr, "unknown kernel %s\n", launch.kernel.c_str());
  std::exit(1);
}
