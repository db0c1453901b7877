#include "tools/tegula/debug/EmulatedLaunch.h"

#include "runtime/device/OpenDevice.h"
#include "runtime/emulator/EmulatorDevice.h"
#include "tools/tegula/arguments/ImageArguments.h"

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

Result<EmulatedLaunch> prepareKernel(const LaunchInput &words, const std::shared_ptr<runtime::Device> &device,
                                     DeviceArguments &arguments) {
  const std::shared_ptr<jit::JitKernel> kernel =
      TRY(jit::JitKernel::create(words.choice.program, *words.choice.kernel, words.choice.options));
  const std::vector<HostValue> values = TRY(arguments.valuesOf(kernel->parameters()));
  EmulatedLaunch made;
  made.variant = TRY(kernel->prepare(device, values));
  made.kernel = made.variant->kernel;
  made.run = [kernel, device, values, grid = words.grid] { return kernel->launch(device, grid, values); };
  return made;
}

Result<EmulatedLaunch> prepareImage(const KernelImage &image, const LaunchInput &words,
                                    const std::shared_ptr<runtime::Device> &device,
                                    DeviceArguments &arguments) {
  const std::vector<HostValue> values = TRY(arguments.valuesOf(describeImage(image).parameters));
  std::vector<std::byte> block = TRY(packArguments(image, values));
  EmulatedLaunch made;
  made.kernel = TRY(device->load(image));
  made.run = [kernel = made.kernel, device, block = std::move(block), grid = words.grid] {
    return device->launch(*kernel, grid, block);
  };
  return made;
}

} // namespace tegula::cli
