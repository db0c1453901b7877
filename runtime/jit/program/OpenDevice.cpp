#include "runtime/jit/program/OpenDevice.h"

#include "runtime/device/CudaDevice.h"
#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/host/Environment.h"
#include "runtime/jit/program/InterpreterDevice.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <optional>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

static Result<std::shared_ptr<runtime::Device>> share(Result<std::unique_ptr<runtime::Device>> device) {
  if (!device)
    return device.error();
  return std::shared_ptr<runtime::Device>(std::move(*device));
}

static std::shared_ptr<runtime::Device> openEmulator() { return std::make_shared<runtime::EmulatorDevice>(); }

/// `emulator:N`: every launch under N random schedules of its warps and blocks.
static std::shared_ptr<runtime::Device> openEmulator(uint32_t schedules) {
  runtime::EmulatorOptions options;
  options.seed = 1; // 0 is the natural order
  options.schedules = schedules;
  return std::make_shared<runtime::EmulatorDevice>(options);
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

Result<std::shared_ptr<runtime::Device>> openDevice(std::string kind) {
  const bool fromEnvironment = kind.empty();
  if (fromEnvironment)
    kind = runtime::environment("TEGULA_DEVICE");
  if (kind.empty() || kind == "auto") {
    Result<std::unique_ptr<runtime::Device>> cuda = runtime::openCudaDevice();
    if (cuda || cuda.error().kind != ErrorKind::Unavailable)
      return share(std::move(cuda));
    return openEmulator();
  }
  if (kind == "emulator")
    return openEmulator();
  if (kind == "interpret")
    return std::shared_ptr<runtime::Device>(std::make_shared<InterpreterDevice>());
  if (kind == "cuda")
    return share(runtime::openCudaDevice());
  if (std::optional<int> ordinal = numberAfter(kind, "cuda"))
    return share(runtime::openCudaDevice(*ordinal));
  if (std::optional<int> schedules = numberAfter(kind, "emulator"); schedules && *schedules > 0)
    return openEmulator(uint32_t(*schedules));
  return Error{
      ErrorKind::InvalidArgument,
      fmt::format("expected the device `auto`, `cuda`, `cuda:N`, `emulator`, `emulator:N` or `interpret`{}, "
                  "found `{}`",
                  fromEnvironment ? " in TEGULA_DEVICE" : "", kind)};
}

void showPrintedText(runtime::Device &device) {
  const std::string text = device.takePrintedText();
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

} // namespace tegula::jit
