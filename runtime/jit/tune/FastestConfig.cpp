#include "runtime/jit/tune/FastestConfig.h"

#include "runtime/jit/tune/RankTuner.h"

#include <fmt/format.h>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

Result<size_t> configCount(const JitKernel &kernel) {
  const auto configs = TRY(kernel.program()->source().configs(kernel.info().name, KernelSpec().target,
                                                              kernel.options().tritonVersion));
  return configs.size();
}

Result<std::shared_ptr<JitKernel>> withConfig(const JitKernel &kernel, int64_t index) {
  JitKernel::Options options = kernel.options();
  options.numWarps = options.numStages = 0; // the later word counts
  options = TRY(JitKernel::withConfig(*kernel.program(), kernel.info(), std::move(options), index));
  return JitKernel::create(kernel.program(), kernel.info(), std::move(options));
}

Result<size_t>
fastestConfig(const JitKernel &kernel, const std::shared_ptr<runtime::Device> &device,
              std::span<const HostValue> arguments,
              const std::function<Result<runtime::Grid>(const std::shared_ptr<JitKernel> &)> &gridOf) {
  TuneRequest request{.device = device, .program = kernel.program(), .kernel = &kernel.info()};
  const size_t count = TRY(configCount(kernel));
  if (count == 0)
    return noConfigs(kernel.info());
  for (size_t i = 0; i < count; ++i) {
    const std::shared_ptr<JitKernel> configured = TRY(withConfig(kernel, int64_t(i)));
    const runtime::Grid grid = TRY(gridOf(configured));
    if (!grid.x || !grid.y || !grid.z)
      return Error{ErrorKind::InvalidArgument, fmt::format("the grid of config {} is empty", i)};
    request.configs.push_back({configured->options(), grid});
    request.tried.push_back(i);
  }
  request.arguments = [&](const JitKernel &) -> Result<std::vector<HostValue>> {
    return std::vector<HostValue>(arguments.begin(), arguments.end());
  };
  const std::shared_ptr<const Agreement> agreement = currentAgreement();
  const std::vector<Trial> trials =
      TRY(agreement && agreement->world > 1 ? tuneByRanks(request, *agreement) : tune(request));
  if (const Trial *best = fastest(trials))
    return best->config;
  std::string text = fmt::format("no config of kernel `{}` can be used:", kernel.info().name);
  for (const Trial &trial : trials)
    text += fmt::format("\n  config {}: {}", trial.config, trial.skipped);
  return Error{ErrorKind::OutOfResources, text};
}

} // namespace tegula::jit
