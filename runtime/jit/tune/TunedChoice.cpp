#include "runtime/jit/tune/TunedChoice.h"

#include "compiler/driver/ImportRecord.h"
#include "runtime/jit/files/BuildId.h"
#include "runtime/jit/files/SpecText.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace tegula::jit {

using runtime::Error;
using runtime::Result;

/// Names of sections: the title is for `tegula cache list`.
static constexpr const char *titleSection = "title", *choiceSection = "choice";

/// A config's own part of the key.
static std::string configText(const TuneRequest &request, const TuneConfig &config) {
  return fmt::format("config {}\n{}", config.options.launch.clusterBlocks,
                     specText(config.options.spec(request.kernel->name, request.device.get())));
}

/// The facts about the arguments of a launch, and the values of those that the best config depends on.
static Result<std::string> argumentsText(const TuneRequest &request) {
  std::shared_ptr<JitKernel> kernel =
      TRY(JitKernel::create(request.program, *request.kernel, request.configs.front().options));
  const std::vector<ParameterInfo> &parameters = kernel->parameters();
  std::vector<HostValue> values = TRY(request.arguments(*kernel));
  const std::vector<std::string> &key = request.kernel->tuning.key;
  std::string text;
  for (size_t i = 0; i < values.size() && i < parameters.size(); ++i) {
    const HostValue &value = values[i];
    const std::string &name = parameters[i].name;
    const bool isInKey = std::find(key.begin(), key.end(), name) != key.end();
    if (value.kind == HostValue::Default) {
      text += fmt::format("{} default\n", name);
      continue;
    }
    if (parameters[i].isConstexpr || (isInKey && value.kind != HostValue::Pointer)) {
      text += fmt::format("{} = {} {}\n", name, int(value.kind), value.bits);
      continue;
    }
    const Specialized facts = specialize(parameters[i], value);
    if (facts.form == Specialized::Mismatch)
      return mismatch(parameters[i], value);
    text += fmt::format("{} {}\n", name, facts.key());
  }
  return text;
}

Result<std::string> choiceKey(const TuneRequest &request) {
  const std::string identity = request.program->source().keptIdentity();
  if (identity.empty() || request.configs.empty())
    return std::string();
  std::string arguments = TRY(argumentsText(request));
  const runtime::DeviceProperties &device = request.device->properties();
  std::string key = fmt::format("{}\nchoice of tuning\n{}, {}, driver {}\n{}", compilerIdentity(),
                                device.name, device.arch, device.driver, arguments);
  for (const TuneConfig &config : request.configs)
    key += configText(request, config);
  return key + importClosure(request.program->source().parsedSource()) + identity;
}

std::optional<TunedChoice> ChoiceStore::find(const std::string &key) {
  if (key.empty())
    return std::nullopt;
  const std::optional<cache::Sections> sections = entries.find(key);
  if (!sections || !sections->contains(choiceSection))
    return std::nullopt;
  TunedChoice choice;
  std::istringstream in(sections->at(choiceSection));
  std::string config, milliseconds;
  if (!(in >> config >> choice.config >> milliseconds >> choice.milliseconds))
    return std::nullopt;
  return choice;
}

bool ChoiceStore::keep(const std::string &key, const std::string &title, const TunedChoice &choice) {
  if (key.empty() || !entries.enabled())
    return false;
  return entries.put(key, {{titleSection, title},
                           {choiceSection, fmt::format("config {}\nmilliseconds {}\n", choice.config,
                                                       choice.milliseconds)}});
}

} // namespace tegula::jit
