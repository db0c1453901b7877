#include "runtime/device/OpenDevice.h"

#include "runtime/device/CudaDevice.h"
#include "runtime/host/Environment.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace tegula::runtime {

static Result<std::shared_ptr<Device>> share(Result<std::unique_ptr<Device>> device) {
  if (!device)
    return device.error();
  return std::shared_ptr<Device>(std::move(*device));
}

/// The number behind the colon of `kind`, where it begins with `name` and a colon.
static std::optional<int> numberAfter(std::string_view kind, std::string_view name) {
  if (!kind.starts_with(name) || kind.substr(name.size(), 1) != ":")
    return std::nullopt;
  int number = 0;
  const char *first = kind.data() + name.size() + 1, *last = kind.data() + kind.size();
  auto [end, error] = std::from_chars(first, last, number);
  return error == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

Result<std::shared_ptr<Device>> openDevice(std::string kind, const DeviceMakers &makers) {
  const bool fromEnvironment = kind.empty();
  if (fromEnvironment)
    kind = environment("TEGULA_DEVICE");
  if (kind.empty() || kind == "auto") {
    Result<std::unique_ptr<Device>> cuda = openCudaDevice();
    if (cuda || cuda.error().kind != ErrorKind::Unavailable)
      return share(std::move(cuda));
    return makers.emulator(0);
  }
  if (kind == "emulator")
    return makers.emulator(0);
  if (kind == "interpret")
    return makers.interpreter();
  if (kind == "cuda")
    return share(openCudaDevice());
  if (std::optional<int> ordinal = numberAfter(kind, "cuda"))
    return share(openCudaDevice(*ordinal));
  if (std::optional<int> schedules = numberAfter(kind, "emulator"); schedules && *schedules > 0)
    return makers.emulator(uint32_t(*schedules));
  return Error{
      ErrorKind::InvalidArgument,
      fmt::format("expected the device `auto`, `cuda`, `cuda:N`, `emulator`, `emulator:N` or `interpret`{}, "
                  "found `{}`",
                  fromEnvironment ? " in TEGULA_DEVICE" : "", kind)};
}

} // namespace tegula::runtime
