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
#include <fstream>
#include <iterator>

namespace {

class Reader {
  Bytes bytes;
  size_t at = 0;

public:
  explicit Reader(const char *path) {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  bool more() const { return at < bytes.size(); }
  Bytes take(size_t count) {
    if (bytes.size() - at < count) {
      std::fprintf(stderr, "the file is cut off\n");
      std::exit(1);
    }
    at += count;
    return Bytes(bytes.begin() + (at - count), bytes.begin() + at);
  }
  unsigned number() {
    unsigned value;
    std::memcpy(&value, take(4).data(), 4);
    return value;
  }
  dim3 triple() {
    unsigned x = number(), y = number(), z = number();
    return {x, y, z};
  }
};

Launch read(Reader &file) {
  Launch launch;
  Bytes name = file.take(file.number());
  launch.kernel.assign(name.begin(), name.end());
  launch.shape = file.number();
  launch.seed = file.number();
  launch.blocks = file.triple();
  launch.threads = file.triple();
  launch.arguments.resize(file.number());
  for (Bytes &argument : launch.arguments)
    argument = file.take(file.number());
  launch.buffers.resize(file.number());
  for (Buffer &buffer : launch.buffers) {
    unsigned argument = file.number(), place = file.number();
    unsigned size = file.number();
    buffer.contents = file.take(size);
    buffer.expected = file.take(size);
    void *pointer = buffer.contents.data();
    std::memcpy(launch.arguments.at(argument).data() + place, &pointer,
                sizeof(pointer));
  }
  return launch;
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
  Reader file(argv[1]);
  double tolerance = argc > 2 ? std::atof(argv[2]) : 0;
  int failed = 0;
  while (file.more()) {
    Launch launch = read(file);
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
