// An example's kernels, compiled for the host. EXAMPLE is the file, KERNELS a
// list like K(first) K(second).
#include "cuda.h"

#include EXAMPLE

#include "launch.h"

#include <cstdio>
#include <cstdlib>
#include <tuple>

namespace {

template <class... Parameter, size_t... I>
void call(const Launch &launch, void (*kernel)(Parameter...),
          std::index_sequence<I...>) {
  host::run(launch.blocks, launch.threads,
            [&] { kernel(launch.argument<Parameter>(I)...); });
}

template <class... Parameter>
void call(const Launch &launch, void (*kernel)(Parameter...)) {
  call(launch, kernel, std::index_sequence_for<Parameter...>());
}

} // namespace

void repeat(Launch &launch) {
#define K(name)                                                                \
  if (launch.kernel == #name)                                                  \
    return call(launch, name);
  KERNELS
  std::fprintf(stderr, "unknown kernel %s\n", launch.kernel.c_str());
  std::exit(1);
}
