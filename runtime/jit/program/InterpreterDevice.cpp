#include "runtime/jit/program/InterpreterDevice.h"

#include "runtime/device/HostQueue.h"
#include "runtime/device/Interruption.h"
#include "runtime/jit/program/CompileError.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>
#include <vector>

namespace tegula::jit {

using runtime::DeviceAddress;
using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

namespace {

class InterpretedKernel final : public runtime::LoadedKernel {
public:
  InterpretedKernel(KernelImage image, std::shared_ptr<TileKernel> kernel)
      : LoadedKernel(std::move(image)), kernel(std::move(kernel)) {}

  std::shared_ptr<TileKernel> kernel;
};

KernelImage manifestOf(const TileKernel &kernel, const KernelSpec &spec) {
  KernelImage image;
  image.entry = kernel.name();
  image.target = spec.target;
  image.params = kernel.params();
  image.numWarps = spec.warps();
  if (!image.params.empty())
    image.paramBytes = image.params.back().offset + image.params.back().size;
  return image;
}

Error badCopy(const interp::Memory &memory, DeviceAddress address, size_t bytes) {
  return {ErrorKind::InvalidArgument,
          fmt::format("cannot copy {} bytes at {:#x}: {}", bytes, address, memory.explain(address, bytes))};
}

} // namespace

InterpreterDevice::InterpreterDevice() {
  deviceProperties.name = "interpreter";
  deviceProperties.kind = "interpret";
  deviceProperties.arch = DefaultTarget; // what a kernel is told that asks for its target
  deviceProperties.multiprocessors = 1;
}

Result<DeviceAddress> InterpreterDevice::allocate(size_t bytes) {
  std::lock_guard lock(mutex);
  if (interp::Allocation *made = memory.allocate(bytes))
    return made->base;
  return Error{ErrorKind::OutOfResources, fmt::format("the interpreter has no room for {} bytes", bytes)};
}

Result<void> InterpreterDevice::free(DeviceAddress address) {
  std::lock_guard lock(mutex);
  if (!memory.free(address))
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("no memory of the interpreter begins at {:#x}", address)};
  return {};
}

Result<void> InterpreterDevice::copyToDevice(DeviceAddress to, const void *from, size_t bytes) {
  std::lock_guard lock(mutex);
  if (!memory.write(to, from, bytes))
    return badCopy(memory, to, bytes);
  return {};
}

Result<void> InterpreterDevice::copyToHost(void *to, DeviceAddress from, size_t bytes) {
  std::lock_guard lock(mutex);
  if (!memory.read(to, from, bytes))
    return badCopy(memory, from, bytes);
  return {};
}

Result<void> InterpreterDevice::copyOnDevice(DeviceAddress to, DeviceAddress from, size_t bytes) {
  std::lock_guard lock(mutex);
  const interp::Allocation *source = memory.find(from, bytes);
  if (!source)
    return badCopy(memory, from, bytes);
  const interp::Allocation *target = memory.find(to, bytes);
  if (!target)
    return badCopy(memory, to, bytes);
  const uint64_t toOffset = to - target->base, fromOffset = from - source->base;
  std::memmove(target->data.get() + toOffset, source->data.get() + fromOffset, bytes);
  // Bytes that are undefined in the source become undefined in the target.
  if (target->defined && source->defined)
    std::memmove(target->defined.get() + toOffset, source->defined.get() + fromOffset, bytes);
  else if (target->defined)
    std::memset(target->defined.get() + toOffset, 1, bytes);
  return {};
}

Result<void> InterpreterDevice::mapHost(void *address, size_t bytes, bool isReadOnly) {
  runtime::HostRange range = TRY(runtime::hostRange(address, bytes, isReadOnly));
  std::lock_guard lock(mutex);
  return mapped.map(memory, range);
}

Result<void> InterpreterDevice::unmapHost(void *address, size_t bytes) {
  runtime::HostRange range = TRY(runtime::hostRange(address, bytes));
  std::lock_guard lock(mutex);
  return mapped.unmap(memory, range);
}

Result<std::unique_ptr<runtime::Stream>> InterpreterDevice::createStream() {
  return runtime::makeHostStream();
}
Result<std::unique_ptr<runtime::Event>> InterpreterDevice::createEvent() {
  return runtime::makeHostEvent("interpreter");
}

Result<std::unique_ptr<runtime::LoadedKernel>> InterpreterDevice::load(KernelImage image) {
  return Error{ErrorKind::InvalidArgument,
               fmt::format("cannot load `{}`: the interpreter runs source, not PTX", image.entry)};
}

Result<std::shared_ptr<runtime::LoadedKernel>>
InterpreterDevice::loadSource(CompiledSource &source, const KernelSpec &spec, const std::string &entryName) {
  TileKernel::Made made = TileKernel::create(source.parsedSource(), spec, /*names=*/bool(debugger));
  if (!made.kernel)
    return compileError(std::move(made.diagnostics));
  source.keepMessages(std::move(made.diagnostics));
  KernelImage image = manifestOf(*made.kernel, spec);
  if (!entryName.empty())
    image.entry = entryName;
  return {std::make_shared<InterpretedKernel>(std::move(image), std::move(made.kernel))};
}

void InterpreterDevice::setProgress(runtime::ProgressCallback callback) {
  std::lock_guard lock(mutex);
  progress = std::move(callback);
}

void InterpreterDevice::setDebugger(Debugger wanted) {
  std::lock_guard lock(mutex);
  debugger = std::move(wanted);
}

std::string InterpreterDevice::takePrintedText() {
  std::lock_guard lock(mutex);
  return std::exchange(printed, {});
}

Result<void> InterpreterDevice::launchChecked(runtime::LoadedKernel &kernel, runtime::Grid grid,
                                              std::span<const std::byte> params, runtime::Stream *,
                                              runtime::LaunchAttributes) {
  auto *interpreted = dynamic_cast<InterpretedKernel *>(&kernel);
  if (!interpreted)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("cannot launch `{}`: it was loaded on another device", kernel.image().entry)};
  std::vector<uint64_t> arguments;
  for (const KernelParam &param : kernel.image().params) {
    uint64_t bits = 0;
    std::memcpy(&bits, params.data() + param.offset, param.size);
    arguments.push_back(bits);
  }
  std::lock_guard lock(mutex);
  if (debugger) {
    if (std::optional<std::string> fault =
            debugger(*interpreted->kernel, {grid.x, grid.y, grid.z}, arguments, memory))
      return Error{ErrorKind::Fault, std::move(*fault)};
    return {};
  }
  TileKernel::Options options;
  options.print = [this](std::string_view text) { printed += text; };
  if (progress)
    options.progress = runtime::Progress(progress, uint64_t(grid.x) * grid.y * grid.z);
  runtime::Interruption interruption;
  options.isInterrupted = [&] { return interruption.isRequested(); };
  std::optional<std::string> fault =
      interpreted->kernel->launch({grid.x, grid.y, grid.z}, arguments, memory, options);
  if (interruption.wasRequested())
    return runtime::interrupted(kernel.image());
  if (fault)
    return Error{ErrorKind::Fault, std::move(*fault)};
  return {};
}

} // namespace tegula::jit
