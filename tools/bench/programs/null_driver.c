/* A CUDA driver that does nothing at once: under it a launch costs what is added to the driver's own time. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static _Thread_local void *current;
static int context, module, function, stream;

#define SUCCEEDS(symbol, parameters) EXPORT int symbol parameters { return 0; }
#define GIVES(symbol, parameters, place, value)                                                                       \
  EXPORT int symbol parameters {                                                                                      \
    *place = value;                                                                                                   \
    return 0;                                                                                                         \
  }

SUCCEEDS(cuInit, (unsigned flags))
SUCCEEDS(cuDevicePrimaryCtxRelease_v2, (int device))
SUCCEEDS(cuCtxSynchronize, (void))
SUCCEEDS(cuMemcpyHtoD_v2, (unsigned long long to, const void *from, size_t bytes))
SUCCEEDS(cuMemcpyDtoH_v2, (void *to, unsigned long long from, size_t bytes))
SUCCEEDS(cuMemcpyDtoD_v2, (unsigned long long to, unsigned long long from, size_t bytes))
SUCCEEDS(cuMemsetD32Async, (unsigned long long to, unsigned value, size_t words, void *handle))
SUCCEEDS(cuMemFree_v2, (unsigned long long address))
SUCCEEDS(cuStreamDestroy_v2, (void *handle))
SUCCEEDS(cuStreamSynchronize, (void *handle))
SUCCEEDS(cuEventDestroy_v2, (void *event))
SUCCEEDS(cuEventRecord, (void *event, void *handle))
SUCCEEDS(cuEventSynchronize, (void *event))
SUCCEEDS(cuModuleUnload, (void *handle))
SUCCEEDS(cuLinkAddData_v2, (void *state, int kind, void *data, size_t bytes, const char *name, unsigned count,
                            int *options, void **values))
SUCCEEDS(cuLinkDestroy, (void *state))
SUCCEEDS(cuTensorMapEncodeTiled, (void *map, unsigned type, unsigned rank, void *base, const unsigned long long *sizes,
                                  const unsigned long long *strides, const unsigned *box, const unsigned *steps,
                                  unsigned interleave, unsigned swizzle, unsigned promotion, unsigned fill))
SUCCEEDS(cuFuncSetAttribute, (void *handle, int attribute, int value))
SUCCEEDS(cuLaunchKernel, (void *handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, void *queue, void **params, void **extra))
GIVES(cuDriverGetVersion, (int *version), version, 12040)
GIVES(cuGetErrorName, (int code, const char **name), name, "CUDA_ERROR")
GIVES(cuGetErrorString, (int code, const char **text), text, "an error")
GIVES(cuDeviceGetCount, (int *count), count, 1)
GIVES(cuDeviceGet, (int *device, int ordinal), device, ordinal)
GIVES(cuDeviceTotalMem_v2, (size_t *bytes, int device), bytes, (size_t)1 << 37)
GIVES(cuDevicePrimaryCtxRetain, (void **handle, int device), handle, &context)
GIVES(cuCtxGetCurrent, (void **handle), handle, current)
GIVES(cuCtxGetDevice, (int *device), device, 0)
GIVES(cuMemAlloc_v2, (unsigned long long *address, size_t bytes), address, 0x10000)
GIVES(cuStreamCreate, (void **handle, unsigned flags), handle, &stream)
GIVES(cuEventCreate, (void **event, unsigned flags), event, &stream)
GIVES(cuEventElapsedTime, (float *milliseconds, void *start, void *end), milliseconds, 1)
GIVES(cuModuleLoadDataEx, (void **handle, const void *image, unsigned count, int *options, void **values), handle,
      &module)
GIVES(cuModuleLoadData, (void **handle, const void *image), handle, &module)
GIVES(cuModuleGetFunction, (void **handle, void *of, const char *name), handle, &function)
GIVES(cuFuncGetAttribute, (int *value, int attribute, void *handle), value, 0)
GIVES(cuLinkCreate_v2, (unsigned count, int *options, void **values, void **state), state, &module)

EXPORT int cuLinkComplete(void *state, void **cubin, size_t *bytes) {
  static char code[] = "code";
  *cubin = code;
  *bytes = sizeof code;
  return 0;
}
EXPORT int cuCtxSetCurrent(void *handle) {
  current = handle;
  return 0;
}
EXPORT int cuDeviceGetName(char *name, int bytes, int device) {
  snprintf(name, (size_t)bytes, "a driver that does nothing");
  return 0;
}
EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device) {
  const int values[][2] = {{1, 1024}, {5, 2147483647}, {6, 65535}, {7, 65535}, {10, 32},     {13, 1830000}, {16, 132},
                           {36, 2619000}, {37, 5120},  {38, 1 << 20}, {75, 9},  {76, 0},      {82, 65536},   {97, 232448}};
  *value = 0;
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i)
    if (values[i][0] == attribute)
      *value = values[i][1];
  return 0;
}
