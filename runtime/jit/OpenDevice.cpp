#include "runtime/jit/OpenDevice.h"

#include "runtime/device/CudaDevice.h"
#include "runtime/emulator/EmulatorDevice.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

static std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

template <typename D> static Result<std::shared_ptr<runtime::Device>> share(Result<std::unique_ptr<D>> device) {
  if (!device)
    return device.error();
  return std::shared_ptr<runtime::Device>(std::move(*device));
}

Result<std::shared_ptr<runtime::Device>> openDevice(std::string kind) {
  const bool fromEnvironment = kind.empty();
  if (fromEnvironment)
    kind = environment("TEGULA_DEVICE");
  if (kind.empty() || kind == "auto") {
    Result<std::unique_ptr<runtime::Device>> cuda = runtime::openCudaDevice();
    if (cuda || cuda.error().kind != ErrorKind::Unavailable)
      return share(std::move(cuda));
    return share(runtime::openEmulator());
  }
  if (kind == "emulator")
    return share(runtime::openEmulator());
  if (kind == "cuda")
    return share(runtime::openCudaDevice());
  if (kind.starts_with("cuda:")) {
    int ordinal = 0;
    const char *first = kind.data() + 5, *last = kind.data() + kind.size();
    auto [end, error] = std::from_chars(first, last, ordinal);
    if (error == std::errc() && end == last)
      return share(runtime::openCudaDevice(ordinal));
  }
  return Error{ErrorKind::InvalidArgument,
               fmt::format("expected the device `auto`, `cuda`, `cuda:N` or `emulator`{}, found `{}`",
                           fromEnvironment ? " in TEGULA_DEVICE" : "", kind)};
}

std::string targetFor(const runtime::Device &device) {
  std::string arch = environment("TEGULA_ARCH");
  return arch.empty() ? device.properties().arch : arch;
}

} // namespace tegula::jit
