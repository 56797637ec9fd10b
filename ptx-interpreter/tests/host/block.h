// Threads of a CUDA block as fibres on the host.
#ifndef HOST_BLOCK_H
#define HOST_BLOCK_H

#include <array>
#include <cstdint>
#include <functional>

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
struct uint3 {
  unsigned x, y, z;
};

extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

namespace host {

/// Runs `kernel` for all threads of all blocks. Blocks run one after the other.
/// In a block each thread in order runs until it waits; then what can go on
/// does.
void run(dim3 blocks, dim3 threads, const std::function<void()> &kernel);

/// Waits for all threads of the block that have not ended.
void barrier();

/// Waits for the lanes of `mask`; gives the words that all of them brought.
const std::array<uint32_t, 32> &gather(uint32_t mask, uint32_t word);

/// The thread's place in its warp.
unsigned lane();

} // namespace host

#endif
