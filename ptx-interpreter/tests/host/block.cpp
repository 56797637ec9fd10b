#include "block.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ucontext.h>
#include <vector>

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace {

enum class State { Ready, AtBarrier, InWarp, Done };

struct Fibre {
  State state = State::Ready;
  uint3 index;
  uint32_t mask = 0, word = 0;
  std::array<uint32_t, 32> words;
  ucontext_t context;
};

constexpr size_t StackSize = 256 << 10;

std::vector<Fibre> Fibres;
std::vector<std::unique_ptr<char[]>> Stacks;
size_t Current;
ucontext_t Scheduler;
const std::function<void()> *Kernel;

void enter() {
  (*Kernel)();
  Fibres[Current].state = State::Done;
  setcontext(&Scheduler);
}

void wait(State state) {
  Fibre &fibre = Fibres[Current];
  fibre.state = state;
  swapcontext(&fibre.context, &Scheduler);
}

/// Lets the lanes go on that have all come; whether there were any.
bool gatherWarp(size_t first) {
  size_t count = std::min<size_t>(32, Fibres.size() - first);
  Fibre *warp = &Fibres[first];
  bool progress = false;
  for (size_t leader = 0; leader < count; ++leader) {
    if (warp[leader].state != State::InWarp)
      continue;
    uint32_t mask = warp[leader].mask;
    std::array<uint32_t, 32> words{};
    bool complete = true;
    for (size_t l = 0; l < count; ++l) {
      if (!(mask >> l & 1))
        continue;
      complete &= warp[l].state == State::InWarp && warp[l].mask == mask;
      words[l] = warp[l].word;
    }
    if (!complete)
      continue;
    for (size_t l = 0; l < count; ++l)
      if (mask >> l & 1) {
        warp[l].words = words;
        warp[l].state = State::Ready;
      }
    progress = true;
  }
  return progress;
}

bool openBarrier() {
  size_t alive = 0, here = 0;
  for (const Fibre &fibre : Fibres) {
    alive += fibre.state != State::Done;
    here += fibre.state == State::AtBarrier;
  }
  if (here == 0 || here != alive)
    return false;
  for (Fibre &fibre : Fibres)
    if (fibre.state == State::AtBarrier)
      fibre.state = State::Ready;
  return true;
}

void runBlock() {
  size_t count = size_t(blockDim.x) * blockDim.y * blockDim.z;
  Fibres = std::vector<Fibre>(count);
  while (Stacks.size() < count)
    Stacks.emplace_back(new char[StackSize]);
  for (unsigned i = 0; i < count; ++i) {
    Fibre &fibre = Fibres[i];
    fibre.index = {i % blockDim.x, i / blockDim.x % blockDim.y,
                   i / blockDim.x / blockDim.y};
    getcontext(&fibre.context);
    fibre.context.uc_stack.ss_sp = Stacks[i].get();
    fibre.context.uc_stack.ss_size = StackSize;
    makecontext(&fibre.context, enter, 0);
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (Current = 0; Current < count; ++Current) {
      if (Fibres[Current].state != State::Ready)
        continue;
      threadIdx = Fibres[Current].index;
      swapcontext(&Scheduler, &Fibres[Current].context);
      progress = true;
    }
    for (size_t first = 0; first < count; first += 32)
      progress |= gatherWarp(first);
    progress |= openBarrier();
  }
  for (const Fibre &fibre : Fibres)
    if (fibre.state != State::Done) {
      std::fprintf(stderr, "the host's threads wait for each other\n");
      std::exit(1);
    }
}

} // namespace

void host::run(dim3 blocks, dim3 threads, const std::function<void()> &kernel) {
  Kernel = &kernel;
  gridDim = blocks;
  blockDim = threads;
  for (unsigned z = 0; z < blocks.z; ++z)
    for (unsigned y = 0; y < blocks.y; ++y)
      for (unsigned x = 0; x < blocks.x; ++x) {
        blockIdx = {x, y, z};
        runBlock();
      }
}

void host::barrier() { wait(State::AtBarrier); }

const std::array<uint32_t, 32> &host::gather(uint32_t mask, uint32_t word) {
  Fibres[Current].mask = mask;
  Fibres[Current].word = word;
  wait(State::InWarp);
  return Fibres[Current].words;
}

unsigned host::lane() { return Current % 32; }
