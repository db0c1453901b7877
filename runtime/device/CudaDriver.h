// The CUDA driver, opened at run time: every entry point that we call, and nothing else of CUDA.
//
// The declarations are our own, after the public Driver API reference, so that building needs no
// toolkit. Entry points whose meaning changed over time are bound to the version named here.
#pragma once

#include "dialect/image/Result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace tegula::runtime::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;
using CUlinkState = struct CUlinkState_st *;

/// The result codes that are told apart; all others are only named.
enum Code : CUresult {
  Success = 0,
  OutOfMemory = 2,
  StubLibrary = 34,
  RequiresNewerDriver = 36,
  NoDevice = 100,
  InvalidPtx = 218,
  UnsupportedPtxVersion = 222,
  IllegalAddress = 700,
  LaunchOutOfResources = 701,
  LaunchTimeout = 702,
  Assert = 710,
  HardwareStackError = 714,
  LaunchFailed = 719,
  CooperativeLaunchTooLarge = 720,
  TensorMemoryLeak = 721,
  SystemNotReady = 802,
  SystemDriverMismatch = 803,
  CompatNotSupported = 804,
  InvalidClusterSize = 912,
};

enum DeviceAttribute : int {
  MaxThreadsPerBlock = 1,
  MaxGridX = 5,
  MaxGridY = 6,
  MaxGridZ = 7,
  WarpSize = 10,
  ClockKilohertz = 13,
  MultiprocessorCount = 16,
  MemoryClockKilohertz = 36,
  MemoryBusBits = 37,
  L2CacheBytes = 38,
  CapabilityMajor = 75,
  CapabilityMinor = 76,
  RegistersPerMultiprocessor = 82,
  MaxSharedPerBlockOptIn = 97,
};

enum FunctionAttribute : int {
  StaticSharedBytes = 1,
  LocalBytes = 3,
  Registers = 4,
  MaxDynamicSharedBytes = 8
};

enum JitOption : int {
  MaxRegisters = 0,
  InfoLog = 3,
  InfoLogBytes = 4,
  ErrorLog = 5,
  ErrorLogBytes = 6,
  LogVerbose = 12,
  GenerateLineInfo = 13,
};

/// Kind of an input to a link.
enum JitInput : int { InputPtx = 1 };

/// A launch with attributes, as cuLaunchKernelEx takes it.
enum LaunchAttributeId : int { Cooperative = 2, ClusterDimension = 4, ProgrammaticStreamSerialization = 6 };
struct CUlaunchAttribute {
  int id;
  char padding[4];
  union {
    char reserved[64];
    int flag;            ///< of the two others
    unsigned cluster[3]; ///< blocks along x, y and z, of ClusterDimension
  } value;
};
/// The attribute of a launch in clusters of so many blocks along x.
inline CUlaunchAttribute clusterOf(unsigned blocks) {
  CUlaunchAttribute attribute = {};
  attribute.id = ClusterDimension;
  attribute.value.cluster[0] = blocks;
  attribute.value.cluster[1] = attribute.value.cluster[2] = 1;
  return attribute;
}
struct CUlaunchConfig {
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  CUstream stream;
  CUlaunchAttribute *attributes;
  unsigned attributeCount;
};

/// Arguments of cuTensorMapEncodeTiled.
enum TensorMapType : int {
  MapUint8 = 0,
  MapUint16 = 1,
  MapUint32 = 2,
  MapInt32 = 3,
  MapUint64 = 4,
  MapInt64 = 5,
  MapFloat16 = 6,
  MapFloat32 = 7,
  MapFloat64 = 8,
  MapBfloat16 = 9,
};
enum TensorMapInterleave : int { NoInterleave = 0 };
enum TensorMapSwizzle : int { NoSwizzle = 0, Swizzle32 = 1, Swizzle64 = 2, Swizzle128 = 3 };
enum TensorMapPromotion : int { PromoteTo128Bytes = 2, PromoteTo256Bytes = 3 };
enum TensorMapFill : int { FillWithZeros = 0 };

/// Keys of the `extra` list of a launch.
inline void *const launchParamEnd = nullptr;
inline void *const launchParamPointer = reinterpret_cast<void *>(1);
inline void *const launchParamBytes = reinterpret_cast<void *>(2);

/// CALL(symbol, parameter types)
#define TEGULA_CUDA_CALLS(CALL)                                                                              \
  CALL(cuInit, unsigned flags)                                                                               \
  CALL(cuDriverGetVersion, int *version)                                                                     \
  CALL(cuGetErrorName, CUresult code, const char **name)                                                     \
  CALL(cuGetErrorString, CUresult code, const char **text)                                                   \
  CALL(cuDeviceGetCount, int *count)                                                                         \
  CALL(cuDeviceGet, CUdevice *device, int ordinal)                                                           \
  CALL(cuDeviceGetName, char *name, int bytes, CUdevice device)                                              \
  CALL(cuDeviceGetAttribute, int *value, int attribute, CUdevice device)                                     \
  CALL(cuDeviceTotalMem_v2, size_t *bytes, CUdevice device)                                                  \
  CALL(cuDevicePrimaryCtxRetain, CUcontext *context, CUdevice device)                                        \
  CALL(cuDevicePrimaryCtxRelease_v2, CUdevice device)                                                        \
  CALL(cuCtxGetCurrent, CUcontext *context)                                                                  \
  CALL(cuCtxSetCurrent, CUcontext context)                                                                   \
  CALL(cuCtxSynchronize, void)                                                                               \
  CALL(cuMemAlloc_v2, CUdeviceptr *address, size_t bytes)                                                    \
  CALL(cuMemFree_v2, CUdeviceptr address)                                                                    \
  CALL(cuMemcpyHtoD_v2, CUdeviceptr to, const void *from, size_t bytes)                                      \
  CALL(cuMemcpyDtoH_v2, void *to, CUdeviceptr from, size_t bytes)                                            \
  CALL(cuMemcpyDtoD_v2, CUdeviceptr to, CUdeviceptr from, size_t bytes)                                      \
  CALL(cuStreamCreate, CUstream *stream, unsigned flags)                                                     \
  CALL(cuStreamDestroy_v2, CUstream stream)                                                                  \
  CALL(cuStreamSynchronize, CUstream stream)                                                                 \
  CALL(cuEventCreate, CUevent *event, unsigned flags)                                                        \
  CALL(cuEventDestroy_v2, CUevent event)                                                                     \
  CALL(cuEventRecord, CUevent event, CUstream stream)                                                        \
  CALL(cuEventSynchronize, CUevent event)                                                                    \
  CALL(cuEventElapsedTime, float *milliseconds, CUevent start, CUevent end)                                  \
  CALL(cuModuleLoadDataEx, CUmodule *module, const void *image, unsigned count, int *options, void **values) \
  CALL(cuLinkCreate_v2, unsigned count, int *options, void **values, CUlinkState *state)                     \
  CALL(cuLinkAddData_v2, CUlinkState state, int kind, void *data, size_t bytes, const char *name,            \
       unsigned count, int *options, void **values)                                                          \
  CALL(cuLinkComplete, CUlinkState state, void **cubin, size_t *bytes)                                       \
  CALL(cuLinkDestroy, CUlinkState state)                                                                     \
  CALL(cuModuleUnload, CUmodule module)                                                                      \
  CALL(cuModuleGetFunction, CUfunction *function, CUmodule module, const char *name)                         \
  CALL(cuFuncGetAttribute, int *value, int attribute, CUfunction function)                                   \
  CALL(cuFuncSetAttribute, CUfunction function, int attribute, int value)                                    \
  CALL(cuLaunchKernel, CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, \
       unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream stream, void **params, void **extra)

/// The same for what older drivers do not have, and most programs do not need: null where it is missing.
#define TEGULA_CUDA_NEWER_CALLS(CALL)                                                                        \
  CALL(cuStreamIsCapturing, CUstream stream, int *status)                                                    \
  CALL(cuLaunchKernelEx, const CUlaunchConfig *config, CUfunction function, void **params, void **extra)     \
  CALL(cuOccupancyMaxActiveClusters, int *count, CUfunction function, const CUlaunchConfig *config)          \
  CALL(cuTensorMapEncodeTiled, void *map, int type, unsigned rank, void *base, const uint64_t *sizes,        \
       const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave, int swizzle,     \
       int promotion, int fill)

/// The driver's entry points, all of them bound, and initialised.
class Driver {
public:
#define TEGULA_CUDA_MEMBER(symbol, ...) CUresult (*symbol)(__VA_ARGS__) = nullptr;
  TEGULA_CUDA_CALLS(TEGULA_CUDA_MEMBER)
  TEGULA_CUDA_NEWER_CALLS(TEGULA_CUDA_MEMBER)
#undef TEGULA_CUDA_MEMBER

  /// Opens `library`, binds every entry point and initialises the driver. The library stays loaded
  /// until the process ends: drivers keep threads of their own. Errors: Unavailable.
  static Result<std::shared_ptr<const Driver>> open(const std::string &library);

  /// Version as people write it: "12.4".
  std::string version() const;

  /// "CUDA_ERROR_OUT_OF_MEMORY (out of memory)"; a code that the driver does not know gives its number.
  std::string describe(CUresult code) const;

  /// The error of `call` having returned `code`: "cannot <doing>: `call` failed with ...".
  Error error(CUresult code, const char *call, const std::string &doing) const;
};

/// Returns true if `code` reports a fault of a kernel, after which the context is lost.
bool isFault(CUresult code);

} // namespace tegula::runtime::cuda
