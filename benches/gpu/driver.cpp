#include "driver.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

// cuda.h gives some functions names with a version; so does the library.
#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
#define FIND(name)                                                             \
  name = reinterpret_cast<decltype(name)>(dlsym(library, TEXT(cu##name)));     \
  if (!name)                                                                   \
    return "the driver has no " TEXT(cu##name);

const char *Driver::open() {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library)
    return "there is no CUDA driver";
  DRIVER_FUNCTIONS(FIND)
  CUdevice device;
  if (Init(0) != CUDA_SUCCESS || DeviceGet(&device, 0) != CUDA_SUCCESS)
    return "there is no NVIDIA GPU";
  CUcontext context;
  check(DevicePrimaryCtxRetain(&context, device), "context");
  check(CtxSetCurrent(context), "context");
  return nullptr;
}

void Driver::check(CUresult result, const char *what) const {
  if (result == CUDA_SUCCESS)
    return;
  const char *message = nullptr;
  GetErrorString(result, &message);
  std::fprintf(stderr, "%s: %s\n", what, message ? message : "unknown error");
  std::exit(1);
}
