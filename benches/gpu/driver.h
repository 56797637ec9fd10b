// What is needed of the CUDA driver, found at run time: the program builds and
// says so where there is no driver.
#ifndef GPU_DRIVER_H
#define GPU_DRIVER_H

#include <cuda.h>

/// The driver's functions that are used, without "cu".
#define DRIVER_FUNCTIONS(FUNCTION)                                             \
  FUNCTION(Init)                                                               \
  FUNCTION(GetErrorString)                                                     \
  FUNCTION(DeviceGet)                                                          \
  FUNCTION(DevicePrimaryCtxRetain)                                             \
  FUNCTION(CtxSetCurrent)                                                      \
  FUNCTION(ModuleLoad)                                                         \
  FUNCTION(ModuleUnload)                                                       \
  FUNCTION(ModuleGetFunction)                                                  \
  FUNCTION(MemAlloc)                                                           \
  FUNCTION(MemFree)                                                            \
  FUNCTION(MemcpyHtoD)                                                         \
  FUNCTION(MemcpyDtoH)                                                         \
  FUNCTION(LaunchKernel)                                                       \
  FUNCTION(EventCreate)                                                        \
  FUNCTION(EventDestroy)                                                       \
  FUNCTION(EventRecord)                                                        \
  FUNCTION(EventSynchronize)                                                   \
  FUNCTION(EventElapsedTime)

struct Driver {
#define DECLARE(name) decltype(&cu##name) name = nullptr;
  DRIVER_FUNCTIONS(DECLARE)
#undef DECLARE

  /// Finds the driver and the first GPU. Null, or why there is none.
  const char *open();
  /// Ends the program with the driver's message if a call has failed.
  void check(CUresult result, const char *what) const;
};

#endif
