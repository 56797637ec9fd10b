// Repeats launches that ptx-run has recorded and compares the buffers.
// usage: host FILE [TOLERANCE [PART]]
// Without a tolerance buffers must be equal bit by bit. With one the words of
// kernels with PART in their names are floats, and |a - b| <= TOLERANCE *
// max(1, |a|, |b|) is enough. Prints a line for each launch, lines with FAIL
// for what differs, and "end".
#include "launch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

/// Puts the addresses of buffers into the arguments.
void passBuffers(Launch &launch) {
  for (Buffer &buffer : launch.buffers) {
    void *pointer = buffer.contents.data() + buffer.start;
    std::memcpy(launch.arguments.at(buffer.argument).data() + buffer.place,
                &pointer, sizeof(pointer));
  }
}

bool close(float a, float b, double tolerance) {
  double size = std::max({1.0, std::fabs(double(a)), std::fabs(double(b))});
  return std::fabs(double(a) - double(b)) <= tolerance * size;
}

/// The first byte that differs by too much, or the size.
size_t difference(const Buffer &buffer, double tolerance) {
  const Bytes &a = buffer.contents, &b = buffer.expected;
  size_t step = tolerance > 0 ? 4 : 1;
  for (size_t at = 0; at + step <= a.size(); at += step) {
    if (!std::memcmp(&a[at], &b[at], step))
      continue;
    float x, y;
    if (tolerance > 0) {
      std::memcpy(&x, &a[at], 4);
      std::memcpy(&y, &b[at], 4);
      if (close(x, y, tolerance))
        continue;
    }
    return at;
  }
  return a.size();
}

} // namespace

int main(int argc, char **argv) {
  double tolerance = argc > 2 ? std::atof(argv[2]) : 0;
  int failed = 0;
  for (Launch &launch : readLaunches(argv[1])) {
    passBuffers(launch);
    std::vector<Bytes> before;
    for (const Buffer &buffer : launch.buffers)
      before.push_back(buffer.contents);
    repeat(launch);
    bool loose =
        launch.kernel.find(argc > 3 ? argv[3] : "") != std::string::npos;
    size_t bytes = 0, changed = 0;
    for (size_t i = 0; i < launch.buffers.size(); ++i) {
      const Buffer &buffer = launch.buffers[i];
      if (!buffer.compared)
        continue;
      for (size_t at = 0; at < before[i].size(); ++at)
        changed += buffer.contents[at] != before[i][at];
      bytes += buffer.contents.size();
      size_t at = difference(buffer, loose ? tolerance : 0);
      if (at == buffer.contents.size())
        continue;
      std::printf("FAIL %s shape %u seed %u: buffer %zu, byte %zu differs\n",
                  launch.kernel.c_str(), launch.shape, launch.seed, i, at);
      failed = 1;
    }
    if (!changed) {
      std::printf("FAIL %s shape %u seed %u: nothing is changed\n",
                  launch.kernel.c_str(), launch.shape, launch.seed);
      failed = 1;
    }
    std::printf("%s shape %u seed %u: %zu bytes, %zu changed\n",
                launch.kernel.c_str(), launch.shape, launch.seed, bytes,
                changed);
  }
  // A crash must not look like a short list.
  std::printf("end\n");
  return failed;
}
