// Compares occupancy with NVIDIA's cuda_occupancy.h. Reads lines of `warpalloc
// occupancy` and computes the same with the header; ends with "N passed, N
// failed", a test for each SM.
//
// The header knows units of allocation, partitions, resident blocks and the
// sizes of shared memory, and takes the rest from the device that is asked.
// There is no device here: threads of an SM stand in a table below, from the
// CUDA C++ Programming Guide, typed in apart from the table under test;
// check_occupancy.sh checks both with ptxas. The size of shared memory is the
// largest that the header accepts for the SM.

#include <climits>
#include <cuda_occupancy.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

namespace {

const std::map<int, int> ThreadsOfSM = {
    {70, 2048},  {72, 2048},  {75, 1024}, {80, 2048},  {86, 1536},
    {87, 1536},  {89, 1536},  {90, 2048}, {100, 2048}, {103, 2048},
    {110, 1536}, {120, 1536}, {121, 1536}};

struct Device {
  cudaOccDeviceProp Properties;
  bool Known = false;
  long Compared = 0;
  long Different = 0;
};

// The largest shared memory that the header can split from the cache; 0 if it
// does not know the SM.
size_t sharedMemory(const cudaOccDeviceProp &Properties) {
  const size_t Step = 1024;
  size_t Largest = 0;
  for (size_t Size = Step; Size <= 1024 * Step; Size += Step) {
    size_t Aligned = Size;
    if (cudaOccAlignUpShmemSizeVoltaPlus(&Aligned, &Properties) !=
        CUDA_OCC_SUCCESS)
      break;
    Largest = Aligned;
  }
  return Largest;
}

Device device(int SM) {
  Device Result;
  cudaOccDeviceProp &P = Result.Properties;
  P.computeMajor = SM / 10;
  P.computeMinor = SM % 10;
  auto Threads = ThreadsOfSM.find(SM);
  size_t Shared = sharedMemory(P);
  if (Threads == ThreadsOfSM.end() || !Shared)
    return Result;
  Result.Known = true;
  P.maxThreadsPerBlock = 1024;
  P.maxThreadsPerMultiprocessor = Threads->second;
  P.regsPerBlock = P.regsPerMultiprocessor = 64 * 1024;
  P.warpSize = 32;
  P.numSms = 1;
  P.sharedMemPerBlock = 48 * 1024;
  P.sharedMemPerMultiprocessor = Shared;
  P.reservedSharedMemPerBlock = SM >= 80 ? 1024 : 0;
  P.sharedMemPerBlockOptin = Shared - P.reservedSharedMemPerBlock;
  return Result;
}

struct Line {
  int SM, Threads, Registers, SharedMemory, Blocks, Warps, Percent;
  char Limits[64];
};

// With static shared memory, and with the same as dynamic one.
bool agrees(const Device &D, const Line &L, bool Dynamic) {
  cudaOccFuncAttributes Function;
  Function.maxThreadsPerBlock = INT_MAX;
  Function.numRegs = L.Registers;
  Function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  Function.sharedSizeBytes = Dynamic ? 0 : L.SharedMemory;
  Function.maxDynamicSharedSizeBytes = Dynamic ? L.SharedMemory : 0;
  Function.numBlockBarriers = 1;
  cudaOccDeviceState State;
  cudaOccResult Result = {};
  if (cudaOccMaxActiveBlocksPerMultiprocessor(
          &Result, &D.Properties, &Function, &State, L.Threads,
          Dynamic ? L.SharedMemory : 0) != CUDA_OCC_SUCCESS)
    return false;
  int Blocks = Result.activeBlocksPerMultiprocessor;
  int Warps = Blocks * ((L.Threads + 31) / 32);
  int MostWarps = D.Properties.maxThreadsPerMultiprocessor / 32;
  std::string Limits;
  auto Add = [&](unsigned Bit, const char *Name) {
    if (Result.limitingFactors & Bit)
      Limits += (Limits.empty() ? "" : ",") + std::string(Name);
  };
  Add(OCC_LIMIT_WARPS, "warps");
  Add(OCC_LIMIT_REGISTERS, "registers");
  Add(OCC_LIMIT_SHARED_MEMORY, "shared_memory");
  Add(OCC_LIMIT_BLOCKS, "blocks");
  // One barrier never leaves fewer blocks, so OCC_LIMIT_BARRIERS says nothing.
  return L.Blocks == Blocks && L.Warps == Warps &&
         L.Percent == Warps * 100 / MostWarps && L.Limits == Limits;
}

} // namespace

int main() {
  std::map<int, Device> Devices;
  Line L;
  int Fields;
  while ((Fields = std::scanf(
              "sm=%d threads=%d registers=%d shared_memory=%d blocks=%d "
              "warps=%d occupancy=%d limits=%63s ",
              &L.SM, &L.Threads, &L.Registers, &L.SharedMemory, &L.Blocks,
              &L.Warps, &L.Percent, L.Limits)) == 8) {
    auto Found = Devices.find(L.SM);
    if (Found == Devices.end())
      Found = Devices.emplace(L.SM, device(L.SM)).first;
    Device &D = Found->second;
    ++D.Compared;
    if (D.Known && agrees(D, L, false) && agrees(D, L, true))
      continue;
    if (!D.Different++ && D.Known)
      std::printf("sm_%d differs first at threads=%d registers=%d "
                  "shared_memory=%d\n",
                  L.SM, L.Threads, L.Registers, L.SharedMemory);
  }
  if (Fields != EOF)
    std::printf("a line cannot be read\n");
  int Passed = 0, Failed = Fields != EOF;
  for (const auto &[SM, D] : Devices) {
    bool Good = D.Known && !D.Different;
    ++(Good ? Passed : Failed);
    std::printf("sm_%d: %ld combinations, %ld differ%s\n", SM, D.Compared,
                D.Different, D.Known ? "" : ", as the header lacks this SM");
  }
  std::printf("%d passed, %d failed\n", Passed, Failed);
  return Failed || !Passed;
}
