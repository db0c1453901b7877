#include "runtime/jit/files/SpecText.h"

#include "compiler/spec/ValueText.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::jit {

std::string specText(const KernelSpec &spec) {
  std::string text = fmt::format("{} {} {} {} {} {} {} {}\n", spec.kernel, spec.target, spec.tritonVersion,
                                 spec.warps(), spec.stages(),
                                 !spec.debug           ? "release"
                                 : spec.overflowChecks ? "debug"
                                                       : "asserts",
                                 spec.maxRegisters, spec.fpFusion ? "fused" : "unfused");
  // Written with its length: it is text of the user's.
  if (!spec.dotPrecision.empty())
    text += fmt::format("dots {}:{}\n", spec.dotPrecision.size(), spec.dotPrecision);
  for (const ExternLibrary &library : spec.externLibs)
    text += fmt::format("library {}:{} {}:{} {}\n", library.name.size(), library.name, library.path.size(),
                        library.path, library.digest);
  if (spec.splitK)
    text += "splits K\n";
  if (spec.numCtas > 1)
    text += fmt::format("clusters {}\n", spec.numCtas);
  for (Feature feature : spec.without)
    text += fmt::format("without {}\n", featureName(feature));
  for (const auto &[name, arg] : spec.args) {
    text += name;
    if (const auto *runtime = std::get_if<RuntimeArg>(&arg)) {
      text += fmt::format(":{}\n", formatArgType(*runtime));
      continue;
    }
    text += fmt::format("={}\n", keyOf(std::get<BoundValue>(arg)));
  }
  return text;
}

std::string signatureText(const ArgSpec &spec) {
  if (const auto *runtime = std::get_if<RuntimeArg>(&spec))
    return formatArgType(*runtime);
  const auto &value = std::get<BoundValue>(spec).value;
  if (const auto *integer = std::get_if<int64_t>(&value))
    return fmt::format("i{}={}", *integer == int32_t(*integer) ? 32 : 64, *integer);
  return std::holds_alternative<std::monostate>(value) ? "none" : "";
}

std::string argText(const ArgSpec &arg) {
  const auto *runtime = std::get_if<RuntimeArg>(&arg);
  return runtime ? formatArgType(*runtime) : valueText(std::get<BoundValue>(arg));
}

SpecParts specParts(const KernelSpec &spec) {
  SpecParts parts;
  for (const auto &[name, arg] : spec.args)
    parts[name] = argText(arg);
  parts["num_warps"] = fmt::format("{}", spec.warps());
  parts["num_stages"] = fmt::format("{}", spec.stages());
  parts["arch"] = spec.target;
  std::string without;
  for (Feature feature : spec.without)
    without += fmt::format("{}{}", without.empty() ? "" : ",", featureName(feature));
  parts["without"] = without.empty() ? "nothing" : without;
  parts["triton_version"] = spec.tritonVersion;
  if (spec.maxRegisters)
    parts["maxnreg"] = fmt::format("{}", spec.maxRegisters);
  if (spec.debug)
    parts["debug"] = spec.overflowChecks ? "True" : "asserts";
  if (spec.splitK)
    parts["split_k"] = "True";
  if (spec.numCtas > 1)
    parts["num_ctas"] = fmt::format("{}", spec.numCtas);
  if (!spec.fpFusion)
    parts["enable_fp_fusion"] = "False";
  if (!spec.dotPrecision.empty())
    parts["dot_precision"] = spec.dotPrecision;
  for (const ExternLibrary &library : spec.externLibs)
    parts["extern_libs." + library.name] = fmt::format("{} {}", library.path, library.digest);
  for (auto &[name, text] : parts)
    std::ranges::replace(text, '\n', ' ');
  return parts;
}

std::string describeSpec(const KernelSpec &spec) {
  std::string text;
  for (const auto &[name, arg] : spec.args)
    text += fmt::format("{}={} ", name, argText(arg));
  return fmt::format("{}num_warps={} num_stages={} on {}", text, spec.warps(), spec.stages(), spec.target);
}

} // namespace tegula::jit
