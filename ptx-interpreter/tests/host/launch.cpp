// Reads launches that ptx-run has recorded.
#include "launch.h"

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
    buffer.argument = file.number();
    buffer.place = file.number();
    buffer.start = file.number();
    unsigned size = file.number();
    buffer.contents = file.take(size);
    buffer.expected = file.take(size);
  }
  return launch;
}

} // namespace

std::vector<Launch> readLaunches(const char *path) {
  Reader file(path);
  std::vector<Launch> launches;
  while (file.more())
    launches.push_back(read(file));
  return launches;
}
