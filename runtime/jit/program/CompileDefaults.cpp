#include "runtime/jit/program/CompileDefaults.h"

#include "compiler/target/Target.h"
#include "runtime/host/Environment.h"

#include <fmt/format.h>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

std::string targetFor(const runtime::Device &device) {
  std::string arch = runtime::environment("TEGULA_ARCH");
  if (!arch.empty())
    return arch;
  const runtime::DeviceProperties &properties = device.properties();
  const Target *target = targetOfDevice(properties.computeMajor, properties.computeMinor);
  // The emulator says itself what it wants; of a GPU too old for us the compiler says so by its name.
  return properties.computeMajor && target ? std::string(target->name) : properties.arch;
}

std::string defaultTarget() {
  std::string arch = runtime::environment("TEGULA_ARCH");
  return arch.empty() ? KernelSpec().target : arch;
}

Result<std::set<Feature>> withoutByDefault() {
  auto parsed = parseFeatures(runtime::environment("TEGULA_WITHOUT"));
  if (const auto *problem = std::get_if<std::string>(&parsed))
    return Error{ErrorKind::InvalidArgument, fmt::format("TEGULA_WITHOUT: {}", *problem)};
  return std::get<std::set<Feature>>(std::move(parsed));
}

Result<std::string> knownVersion(const std::string &tritonVersion) {
  constexpr const char *variable = "TEGULA_TRITON_VERSION";
  const std::string name = tritonVersion.empty() ? runtime::environment(variable) : tritonVersion;
  if (name.empty())
    return KernelSpec().tritonVersion;
  if (lookupLanguageVersion(name))
    return name;
  return Error{ErrorKind::InvalidArgument,
               (tritonVersion.empty() ? std::string(variable) + ": " : "") + unknownLanguageVersion(name)};
}

} // namespace tegula::jit
