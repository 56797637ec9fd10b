// Runs the launches that ptx-run has recorded on a GPU, as stock LLVM and as
// warpalloc compile them, compares all buffers and times both.
// usage: compare LAUNCHES STOCK.cubin NAME OURS.cubin [NAME OURS.cubin...]
// What differs from one run of stock's code to the next (sums of floats by
// atomics) is left out. Prints a line for each launch and each of ours, with
// FAIL in front of what differs. Exits with 3 if there is no GPU.
#include "driver.h"
#include "launch.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace {

constexpr int Repetitions = 20;
constexpr int StockRuns = 3;

struct Outcome {
  std::vector<Bytes> buffers;
  /// The fastest of some runs, in microseconds.
  float time;
};

/// Buffers on the device.
class DeviceBuffers {
  const Driver &driver;
  const Launch &launch;
  std::vector<CUdeviceptr> addresses;

public:
  DeviceBuffers(const Driver &driver, const Launch &launch)
      : driver(driver), launch(launch) {
    for (const Buffer &buffer : launch.buffers) {
      CUdeviceptr address;
      size_t size = std::max<size_t>(buffer.contents.size(), 1);
      driver.check(driver.MemAlloc(&address, size), "buffer");
      addresses.push_back(address);
    }
  }
  DeviceBuffers(const DeviceBuffers &) = delete;
  ~DeviceBuffers() {
    for (CUdeviceptr address : addresses)
      driver.MemFree(address);
  }

  void fill() const {
    for (size_t i = 0; i < addresses.size(); ++i) {
      const Bytes &contents = launch.buffers[i].contents;
      driver.check(
          driver.MemcpyHtoD(addresses[i], contents.data(), contents.size()),
          "copy to the device");
    }
  }

  std::vector<Bytes> read() const {
    std::vector<Bytes> all;
    for (size_t i = 0; i < addresses.size(); ++i) {
      Bytes bytes(launch.buffers[i].contents.size());
      driver.check(driver.MemcpyDtoH(bytes.data(), addresses[i], bytes.size()),
                   "copy from the device");
      all.push_back(bytes);
    }
    return all;
  }

  std::vector<Bytes> arguments() const {
    std::vector<Bytes> arguments = launch.arguments;
    for (size_t i = 0; i < addresses.size(); ++i) {
      const Buffer &buffer = launch.buffers[i];
      std::memcpy(arguments.at(buffer.argument).data() + buffer.place,
                  &addresses[i], sizeof(CUdeviceptr));
    }
    return arguments;
  }
};

/// Runs a launch, each time with fresh buffers; what it leaves the first time.
Outcome run(const Driver &driver, const char *cubin, const Launch &launch) {
  CUmodule module;
  CUfunction function;
  driver.check(driver.ModuleLoad(&module, cubin), cubin);
  driver.check(
      driver.ModuleGetFunction(&function, module, launch.kernel.c_str()),
      launch.kernel.c_str());
  DeviceBuffers buffers(driver, launch);
  std::vector<Bytes> arguments = buffers.arguments();
  std::vector<void *> pointers;
  for (Bytes &argument : arguments)
    pointers.push_back(argument.data());
  CUevent begin, end;
  driver.check(driver.EventCreate(&begin, 0), "event");
  driver.check(driver.EventCreate(&end, 0), "event");
  Outcome outcome = {{}, 1e30f};
  for (int i = 0; i < Repetitions; ++i) {
    buffers.fill();
    driver.check(driver.EventRecord(begin, nullptr), "event");
    driver.check(driver.LaunchKernel(function, launch.blocks.x, launch.blocks.y,
                                     launch.blocks.z, launch.threads.x,
                                     launch.threads.y, launch.threads.z, 0,
                                     nullptr, pointers.data(), nullptr),
                 "launch");
    driver.check(driver.EventRecord(end, nullptr), "event");
    driver.check(driver.EventSynchronize(end), launch.kernel.c_str());
    float milliseconds;
    driver.check(driver.EventElapsedTime(&milliseconds, begin, end), "event");
    outcome.time = std::min(outcome.time, milliseconds * 1000);
    if (i == 0)
      outcome.buffers = buffers.read();
  }
  driver.EventDestroy(begin);
  driver.EventDestroy(end);
  driver.ModuleUnload(module);
  return outcome;
}

/// Bytes in which the buffers differ where stock's runs agree; counts those
/// where they do not agree.
size_t differences(const std::vector<Outcome> &stock, const Outcome &ours,
                   size_t &unstable) {
  size_t different = 0;
  for (size_t i = 0; i < ours.buffers.size(); ++i)
    for (size_t at = 0; at < ours.buffers[i].size(); ++at) {
      unsigned char expected = stock[0].buffers[i][at];
      bool stable =
          std::all_of(stock.begin(), stock.end(), [&](const Outcome &one) {
            return one.buffers[i][at] == expected;
          });
      unstable += !stable;
      different += stable && ours.buffers[i][at] != expected;
    }
  return different;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 5 || argc % 2 == 0) {
    std::fprintf(stderr,
                 "usage: compare LAUNCHES STOCK.cubin NAME OURS.cubin...\n");
    return 2;
  }
  Driver driver;
  if (const char *reason = driver.open()) {
    std::printf("%s\n", reason);
    return 3;
  }
  bool failed = false;
  for (const Launch &launch : readLaunches(argv[1])) {
    std::vector<Outcome> stock;
    for (int i = 0; i < StockRuns; ++i)
      stock.push_back(run(driver, argv[2], launch));
    float stockTime = stock[0].time;
    for (const Outcome &one : stock)
      stockTime = std::min(stockTime, one.time);
    for (int i = 3; i < argc; i += 2) {
      Outcome ours = run(driver, argv[i + 1], launch);
      size_t unstable = 0;
      size_t different = differences(stock, ours, unstable);
      failed |= different != 0;
      std::printf("%s%s shape %u seed %u %s: %zu bytes differ, %zu unstable, "
                  "stock %.1f us, ours %.1f us\n",
                  different ? "FAIL " : "", launch.kernel.c_str(), launch.shape,
                  launch.seed, argv[i], different, unstable, stockTime,
                  ours.time);
    }
  }
  std::printf("end\n");
  return failed;
}
