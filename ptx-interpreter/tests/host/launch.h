// A launch that ptx-run has recorded, to be repeated elsewhere.
#ifndef HOST_LAUNCH_H
#define HOST_LAUNCH_H

#include "block.h"

#include <cstring>
#include <string>
#include <vector>

using Bytes = std::vector<unsigned char>;

struct Buffer {
  /// Where its address goes: an argument's number and a place in it.
  unsigned argument, place;
  /// The byte that the address is of.
  unsigned start;
  /// The host's copy: at first as the kernel found it.
  Bytes contents;
  /// As the interpreter left it.
  Bytes expected;
  /// Cleared for what is the kernel's own business, such as flags between
  /// blocks.
  bool compared = true;
};

struct Launch {
  std::string kernel;
  unsigned shape, seed;
  dim3 blocks, threads;
  /// Without the addresses of buffers.
  std::vector<Bytes> arguments;
  std::vector<Buffer> buffers;

  template <class T> T argument(size_t i, size_t offset = 0) const {
    T value;
    std::memcpy(&value, arguments.at(i).data() + offset, sizeof(T));
    return value;
  }
  template <class T> T *buffer(size_t i) {
    return reinterpret_cast<T *>(buffers.at(i).contents.data() +
                                 buffers.at(i).start);
  }
};

/// Reads what ptx-run has written. Ends the program if it is cut off.
std::vector<Launch> readLaunches(const char *path);

/// Does on the host what the kernel does on the device. Ends the program if it
/// does not know the kernel.
void repeat(Launch &launch);

#endif
