#include "runtime/device/CudaDriver.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace tegula::runtime::cuda {

Result<std::shared_ptr<const Driver>> Driver::open(const std::string &library) {
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    return Error{ErrorKind::Unavailable,
                 fmt::format("no CUDA driver: {}", reason ? reason : "`" + library + "` cannot be opened")};
  }
  auto driver = std::make_shared<Driver>();
  const char *missing = nullptr;
#define TEGULA_CUDA_BIND(symbol, ...)                                                                        \
  driver->symbol = reinterpret_cast<decltype(driver->symbol)>(dlsym(handle, #symbol));                       \
  if (!driver->symbol && !missing)                                                                           \
    missing = #symbol;
  TEGULA_CUDA_CALLS(TEGULA_CUDA_BIND)
#undef TEGULA_CUDA_BIND
#define TEGULA_CUDA_BIND_NEWER(symbol, ...)                                                                  \
  driver->symbol = reinterpret_cast<decltype(driver->symbol)>(dlsym(handle, #symbol));
  TEGULA_CUDA_NEWER_CALLS(TEGULA_CUDA_BIND_NEWER)
#undef TEGULA_CUDA_BIND_NEWER
  if (missing)
    return Error{ErrorKind::Unavailable,
                 fmt::format("the CUDA driver `{}` is too old: it has no `{}`", library, missing)};
  if (CUresult code = driver->cuInit(0); code != Success) {
    // Whatever stands in the way here, the remedy is a working driver and not another call.
    Error error = driver->error(code, "cuInit", "use the CUDA driver");
    error.kind = ErrorKind::Unavailable;
    return error;
  }
  return std::shared_ptr<const Driver>(std::move(driver));
}

std::string Driver::version() const {
  int number = 0;
  if (cuDriverGetVersion(&number) != Success)
    return "unknown";
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

std::string Driver::describe(CUresult code) const {
  const char *name = nullptr;
  const char *text = nullptr;
  if (cuGetErrorName(code, &name) != Success || !name)
    return fmt::format("code {}", code);
  if (cuGetErrorString(code, &text) != Success || !text)
    return name;
  return fmt::format("{} ({})", name, text);
}

static ErrorKind kindOf(CUresult code) {
  switch (code) {
  case OutOfMemory:
  case LaunchOutOfResources:
  case CooperativeLaunchTooLarge:
  case InvalidClusterSize:
    return ErrorKind::OutOfResources;
  case StubLibrary:
  case RequiresNewerDriver:
  case NoDevice:
  case SystemNotReady:
  case SystemDriverMismatch:
  case CompatNotSupported:
    return ErrorKind::Unavailable;
  case InvalidPtx:
    return ErrorKind::Compile;
  default:
    return isFault(code) ? ErrorKind::Fault : ErrorKind::Driver;
  }
}

Error Driver::error(CUresult code, const char *call, const std::string &doing) const {
  return {kindOf(code), fmt::format("cannot {}: `{}` failed with {}", doing, call, describe(code))};
}

bool isFault(CUresult code) {
  return code == IllegalAddress || code == LaunchTimeout || code == Assert ||
         (code >= HardwareStackError && code <= LaunchFailed) || code == TensorMemoryLeak;
}

} // namespace tegula::runtime::cuda
