#include "runtime/jit/OpenDevice.h"

#include "compiler/target/Target.h"
#include "runtime/device/CudaDevice.h"
#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/jit/InterpreterDevice.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

static std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

static Result<std::shared_ptr<runtime::Device>> share(Result<std::unique_ptr<runtime::Device>> device) {
  if (!device)
    return device.error();
  return std::shared_ptr<runtime::Device>(std::move(*device));
}

static std::shared_ptr<runtime::Device> openEmulator() { return std::make_shared<runtime::EmulatorDevice>(); }

Result<std::shared_ptr<runtime::Device>> openDevice(std::string kind) {
  const bool fromEnvironment = kind.empty();
  if (fromEnvironment)
    kind = environment("TEGULA_DEVICE");
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
  if (kind.starts_with("cuda:")) {
    int ordinal = 0;
    const char *first = kind.data() + 5, *last = kind.data() + kind.size();
    auto [end, error] = std::from_chars(first, last, ordinal);
    if (error == std::errc() && end == last)
      return share(runtime::openCudaDevice(ordinal));
  }
  return Error{ErrorKind::InvalidArgument,
               fmt::format("expected the device `auto`, `cuda`, `cuda:N`, `emulator` or `interpret`{}, found `{}`",
                           fromEnvironment ? " in TEGULA_DEVICE" : "", kind)};
}

void showPrintedText(runtime::Device &device) {
  std::string text;
  if (auto *emulator = dynamic_cast<runtime::EmulatorDevice *>(&device))
    text = emulator->takePrintedText();
  else if (auto *interpreter = dynamic_cast<InterpreterDevice *>(&device))
    text = interpreter->takePrintedText();
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

std::string targetFor(const runtime::Device &device) {
  std::string arch = environment("TEGULA_ARCH");
  if (!arch.empty())
    return arch;
  const runtime::DeviceProperties &properties = device.properties();
  const Target *target = targetOfDevice(properties.computeMajor, properties.computeMinor);
  // The emulator says itself what it wants; of a GPU too old for us the compiler says so by its name.
  return properties.computeMajor && target ? std::string(target->name) : properties.arch;
}

} // namespace tegula::jit
