#include "tools/tegula/arguments/CompileSpec.h"

#include "compiler/spec/Descriptor.h"
#include "compiler/spec/PassedTuple.h"
#include "compiler/target/Target.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Error;
using runtime::Result;

Error unknownTarget(const std::string &name) {
  std::string list;
  for (const Target &target : allTargets())
    list += fmt::format("{}{}",
                        list.empty()                      ? ""
                        : &target == &allTargets().back() ? " or "
                                                          : ", ",
                        target.name);
  const Target *nearest = nearestTarget(name);
  return usageError(fmt::format("unknown architecture `{}`: expected {}{}", name, list,
                                nearest ? fmt::format("; did you mean `{}`?", nearest->name) : ""));
}

/// Adds the values of heuristics that nothing gives, as far as they follow from compile-time values.
static Result<void> computeHeuristics(const KernelChoice &choice, KernelSpec &spec) {
  std::set<std::string> wanted;
  for (const std::string &name : choice.kernel->tuning.heuristics)
    if (name == "num_warps"    ? !choice.options.numWarps
        : name == "num_stages" ? !choice.options.numStages
                               : !spec.args.contains(name))
      wanted.insert(name);
  if (wanted.empty())
    return {};
  std::map<std::string, BoundValue> values = TRY(choice.program->source().heuristics(spec, wanted));
  for (const auto &[name, value] : values) {
    if (name != "num_warps" && name != "num_stages") {
      spec.args.insert_or_assign(name, value);
      continue;
    }
    Result<uint32_t> count = jit::heuristicCount(name, value);
    if (!count)
      return usageError(count.error().text);
    (name == "num_warps" ? spec.numWarps : spec.numStages) = *count;
  }
  return {};
}

static Result<void> addDescriptor(KernelSpec &spec, const std::string &name, std::string_view text) {
  std::variant<DescriptorType, std::string> type = parseDescriptorType(text);
  if (const std::string *problem = std::get_if<std::string>(&type))
    return usageError(fmt::format("signature of `{}`: {}", name, *problem));
  const auto &[element, value] = std::get<DescriptorType>(type);
  // Its other parts have the facts of every descriptor's, unless a signature of their own says more.
  RuntimeArg base = descriptorParameters(name, value.block.size(), element).front().second;
  spec.args.emplace(fmt::format("{}.base", name), base);
  if (!spec.args.emplace(name, BoundValue{value}).second)
    return usageError(fmt::format("`{}` is given twice", name));
  return {};
}

static Result<void> addTuple(KernelSpec &spec, const std::string &name, std::string_view text) {
  std::variant<TupleType, std::string> type = parseTupleType(name, text);
  if (const std::string *problem = std::get_if<std::string>(&type))
    return usageError(fmt::format("signature of `{}`: {}", name, *problem));
  auto &[value, passed] = std::get<TupleType>(type);
  for (auto &[item, itemType] : passed)
    spec.args.emplace(item, std::move(itemType));
  if (!spec.args.emplace(name, std::move(value)).second)
    return usageError(fmt::format("`{}` is given twice", name));
  return {};
}

Result<void> addType(KernelSpec &spec, const KernelInfo &kernel, const std::string &name,
                     const std::string &text) {
  const ParameterInfo *parameter = findParameter(kernel, name);
  const bool isPart = findParameter(kernel, std::string(parameterOf(name)));
  if (!parameter && !isPart)
    return unknownParameter(kernel, name);
  if (parameter && parameter->isConstexpr)
    return usageError(
        fmt::format("parameter `{}` is a `tl.constexpr`: give its value with `-D {}=VALUE`", name, name));
  if (looksLikeDescriptor(text))
    return addDescriptor(spec, name, text);
  if (looksLikeTuple(text))
    return addTuple(spec, name, text);
  std::variant<ArgSpec, std::string> type = parseArgType(text);
  if (const std::string *problem = std::get_if<std::string>(&type))
    return usageError(fmt::format("signature of `{}`: {}", name, *problem));
  if (!spec.args.emplace(name, std::get<ArgSpec>(std::move(type))).second)
    return usageError(fmt::format("`{}` is given twice", name));
  return {};
}

Result<KernelSpec> specOf(const SpecOptions &options, const KernelChoice &choice, const std::string &arch) {
  if (options.config == tunedConfig)
    return usageError(
        "`--config=tuned` is for `tegula run`: which config is the best depends on the arguments");
  KernelSpec spec = choice.options.spec(choice.kernel->name, nullptr);
  spec.target = arch;
  if (!lookupTarget(spec.target))
    return unknownTarget(spec.target);
  for (const std::string &text : options.signature) {
    const auto [name, typeText] = TRY(splitAssignment(text, "--sig"));
    TRY(addType(spec, *choice.kernel, name, typeText));
  }
  TRY(computeHeuristics(choice, spec));
  std::vector<std::string> values, types;
  for (const ParameterInfo &parameter : choice.kernel->parameters) {
    if (spec.args.contains(parameter.name) || parameter.hasDefault)
      continue;
    if (parameter.type && !parameter.isConstexpr)
      spec.args.emplace(parameter.name, *parameter.type);
    else
      (parameter.isConstexpr ? values : types).push_back(parameter.name);
  }
  if (!types.empty())
    return missingParameters(*choice.kernel, types, "--sig NAME=TYPE");
  if (!values.empty())
    return missingValues(choice, values);
  return spec;
}

} // namespace tegula::cli
