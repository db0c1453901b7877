// A launch: of a kernel, whose variant is found or made, and of a variant.
#include "runtime/device/Freeze.h"
#include "runtime/device/SharedLoops.h"
#include "runtime/jit/files/SpecText.h"
#include "runtime/jit/launch/Jit.h"

#include <fmt/format.h>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

Result<void> JitKernel::launch(const std::shared_ptr<runtime::Device> &device, runtime::Grid grid,
                               std::span<const HostValue> args, runtime::Stream *stream) {
  if (holdTuple(args)) {
    std::vector<HostValue> flat;
    JitKernel *kernel = TRY(withTuples(args, flat));
    return kernel->launch(device, grid, flat, stream);
  }
  const Variant *found = find(*device, args);
  if (!found) {
    TRY(mayPrepare(device, args, stream));
    found = TRY(prepare(device, args));
  }
  return launchVariant(*found, grid, args, stream);
}

Result<void> JitKernel::mayPrepare(const std::shared_ptr<runtime::Device> &device,
                                   std::span<const HostValue> args, runtime::Stream *stream) {
  if (!device->isCapturing(stream))
    return {};
  JitKernel *kernel = TRY(withHeuristics(device, args));
  if (kernel->find(*device, args))
    return {};
  const KernelSpec spec = TRY(kernel->specOf(*device, args));
  return runtime::notPrepared(kernelInfo.name, "compiled or loaded", describeSpec(spec),
                              "while its stream is captured (launch it once before)");
}

runtime::Error Variant::withExcerpt(runtime::Error fault) const {
  std::string shown = maker && fault.place.line ? maker->program()->source().excerptAt(fault.place) : "";
  if (!shown.empty()) {
    shown.pop_back(); // the last newline
    fault.text += "\n" + shown;
  }
  return fault;
}

static Result<void> launchExactly(const Variant &variant, runtime::Grid grid, std::span<const HostValue> args,
                                  runtime::Stream *stream) {
  const KernelImage &image = variant.image();
  if (!variant.kernel)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("cannot launch `{}`: it was compiled without a device", nameOf(image))};
  if (args.size() != variant.argumentCount)
    return Error{ErrorKind::InvalidArgument, fmt::format("expected {} arguments for `{}`, found {}",
                                                         variant.argumentCount, nameOf(image), args.size())};
  return runtime::launchInParts(*variant.device, {variant.kernel.get(), variant.steps, variant.launch}, grid,
                                args, stream, [&]() -> runtime::ReadyKernel {
                                  const Variant *split = variant.split(stream);
                                  if (!split)
                                    return {};
                                  return {split->kernel.get(), split->steps, split->launch};
                                });
}

Result<void> launchVariant(const Variant &variant, runtime::Grid grid, std::span<const HostValue> args,
                           runtime::Stream *stream) {
  Result<void> launched = launchExactly(variant, grid, args, stream);
  if (launched)
    return launched;
  if (launched.error().kind == ErrorKind::Fault)
    return variant.withExcerpt(std::move(launched.error()));
  if (launched.error().kind != ErrorKind::MapRefused)
    return launched;
  const Variant *plain = TRY(variant.withoutMaps(launched.error().text));
  launched = launchExactly(*plain, grid, args, stream);
  if (!launched && launched.error().kind == ErrorKind::MapRefused)
    launched.error().kind = ErrorKind::Driver; // a bug of ours: it was told to do without
  return launched;
}

} // namespace tegula::jit
