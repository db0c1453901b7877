#include "tools/tegula/tune/TunedConfig.h"

#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

#include <numeric>

namespace tegula::cli {

using runtime::Result;

Result<std::vector<jit::TuneConfig>> tuneConfigs(const KernelChoice &choice) {
  const std::vector<KernelConfig> read = TRY(choice.configs());
  if (read.empty())
    return jit::noConfigs(*choice.kernel);
  std::vector<jit::TuneConfig> configs;
  for (size_t config = 0; config < read.size(); ++config) {
    jit::JitKernel::Options options =
        TRY(jit::JitKernel::withConfig(*choice.program, *choice.kernel, choice.options, int64_t(config)));
    configs.push_back({std::move(options), {}});
  }
  return configs;
}

jit::TuneRequest tuneRequest(const KernelChoice &choice, std::vector<jit::TuneConfig> configs,
                             std::shared_ptr<runtime::Device> device, DeviceArguments &arguments) {
  jit::TuneRequest request;
  request.device = std::move(device);
  request.program = choice.program;
  request.kernel = choice.kernel;
  request.configs = std::move(configs);
  request.tried.resize(request.configs.size());
  std::iota(request.tried.begin(), request.tried.end(), 0);
  request.arguments = [&arguments](const jit::JitKernel &kernel) {
    return arguments.valuesOf(kernel.parameters());
  };
  return request;
}

Result<jit::JitKernel::Options> tunedOptions(const jit::TuneRequest &request) {
  std::string key = TRY(jit::choiceKey(request));
  jit::ChoiceStore store;
  const std::optional<jit::TunedChoice> choice = store.find(key);
  if (!choice || choice->config >= request.configs.size())
    return usageError(
        fmt::format("no tuned config of kernel `{}` is kept for these arguments on {}{}; `tegula "
                    "tune` with the same arguments keeps one",
                    request.kernel->name, request.device->properties().name,
                    store.folder().empty() ? "" : fmt::format(" in {}", store.folder())));
  return request.configs[choice->config].options;
}

} // namespace tegula::cli
