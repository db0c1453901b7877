#include "tools/tegula/debug/EmulatorRun.h"

#include "runtime/device/OpenDevice.h"
#include "runtime/emulator/EmulatorDevice.h"
#include "tools/tegula/arguments/ImageArguments.h"
#include "tools/tegula/debug/Expectation.h"
#include "tools/tegula/debug/StoreRecorder.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tegula::cli {

using runtime::Result;

Result<std::shared_ptr<runtime::Device>> openObserved(const std::string &device,
                                                      runtime::ptx::Observer &observer) {
  return runtime::openDevice(device,
                             {.emulator =
                                  [&observer](uint32_t schedules) {
                                    runtime::EmulatorOptions options = runtime::optionsFor(schedules);
                                    options.observer = &observer;
                                    return Result<std::shared_ptr<runtime::Device>>(
                                        std::make_shared<runtime::EmulatorDevice>(std::move(options)));
                                  },
                              .interpreter = {}});
}

namespace {

/// A launch of the kernel as it is compiled, or code of a file.
class Launched {
public:
  Launched(const LaunchInput &words, DeviceArguments &arguments, std::shared_ptr<runtime::Device> device)
      : words(words), arguments(arguments), device(std::move(device)) {}

  Result<void> prepare();
  Result<void> prepare(const std::string &file);
  Result<void> run() { return launch(); }
  const KernelImage &image() const { return loaded->image(); }

private:
  const LaunchInput &words;
  DeviceArguments &arguments;
  std::shared_ptr<runtime::Device> device;
  std::shared_ptr<runtime::LoadedKernel> loaded;
  std::function<Result<void>()> launch;
};

Result<void> Launched::prepare() {
  const std::shared_ptr<jit::JitKernel> kernel =
      TRY(jit::JitKernel::create(words.choice.program, *words.choice.kernel, words.choice.options));
  const std::vector<HostValue> values = TRY(arguments.valuesOf(kernel->parameters()));
  loaded = TRY(kernel->prepare(device, values))->kernel;
  launch = [this, kernel, values] { return kernel->launch(device, words.grid, values); };
  return {};
}

Result<void> Launched::prepare(const std::string &file) {
  KernelOptions options;
  options.file = file;
  const Input input = TRY(readInput(options));
  if (!input.stage)
    return usageError(
        fmt::format("expected PTX behind `--against=`, found `{}`, which is a file of kernels", file));
  const KernelImage image = TRY(imageOf(input));
  const KernelInfo kernel = describeImage(image);
  if (kernel.name != words.choice.kernel->name)
    return usageError(fmt::format("`{}` holds the kernel `{}`, but `{}` is debugged", file, kernel.name,
                                  words.choice.kernel->name));
  for (const ParameterInfo &parameter : kernel.parameters)
    if (!words.arguments.count(parameter.name))
      return usageError(fmt::format("`{}` needs a value for `{}`", file, parameter.name));
  const auto block = std::make_shared<std::vector<std::byte>>(
      TRY(packArguments(image, TRY(arguments.valuesOf(kernel.parameters)))));
  loaded = TRY(device->load(image));
  launch = [this, block] { return device->launch(*loaded, words.grid, *block); };
  return {};
}

/// Returns the median magnitude of an array's elements, at least 1: sums of large numbers are rounded by
/// more.
double magnitudeOf(const debug::Expected &array) {
  std::vector<double> sizes;
  for (uint64_t i = 0; isFloatKind(array.type) && i < array.array.elements(); ++i)
    if (const double size = std::fabs(array.at(i).real); std::isfinite(size))
      sizes.push_back(size);
  if (sizes.empty())
    return 1;
  const auto middle = sizes.begin() + ptrdiff_t(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  return std::max(1.0, *middle);
}

} // namespace

Result<EmulatorRun> runOnEmulator(const LaunchInput &words, const std::string &file) {
  StoreRecorder recorder;
  const std::shared_ptr<runtime::Device> device = TRY(openObserved("emulator:3", recorder));
  DeviceArguments made(device, words.arguments, words.seed);
  Launched launched(words, made, device);
  TRY(file.empty() ? launched.prepare() : launched.prepare(file));
  recorder.prepare(words.arraysOf(made), {words.grid, launched.image()});
  Result<void> done = launched.run();
  if (done)
    done = device->synchronize();
  EmulatorRun run;
  if (!done) {
    run.note = "on the emulator: " + done.error().text;
    return run;
  }
  run.note = "the emulator has run the launch";
  run.stores = std::move(recorder.log);
  for (const auto &[name, array] : made.arrays()) {
    debug::Expected one{{name, 0, array->type, array->shape}, array->type, TRY(array->download())};
    one.tolerance = roundingOf(array->type, magnitudeOf(one));
    run.expected.push_back(std::move(one));
  }
  return run;
}

} // namespace tegula::cli
