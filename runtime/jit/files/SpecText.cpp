#include "runtime/jit/files/SpecText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

namespace tegula::jit {

/// Every form starts with a letter of its own and says how long it is, so no two values look alike.
static void append(std::string &text, const ConstexprValue &value) {
  struct Writer {
    std::string &text;
    void operator()(std::monostate) { text += 'n'; }
    void operator()(bool flag) { text += flag ? 't' : 'f'; }
    void operator()(int64_t number) { text += fmt::format("i{}", number); }
    void operator()(uint64_t number) { text += fmt::format("u{}", number); }
    // By bits: -0.0 and NaNs are values of their own.
    void operator()(double number) { text += fmt::format("d{:x}", std::bit_cast<uint64_t>(number)); }
    void operator()(const std::string &string) { text += fmt::format("s{}:{}", string.size(), string); }
    void operator()(DtypeValue type) { text += fmt::format("y{}", scalarKindName(type.kind)); }
    void operator()(const FunctionValue &function) {
      text += fmt::format("g{},{}:{}", function.source, function.name.size(), function.name);
    }
    void operator()(const LanguageValue &name) { text += fmt::format("m{}:{}", name.path.size(), name.path); }
    void operator()(const DescriptorValue &descriptor) {
      text += fmt::format("b{}{}:{}", descriptor.padsWithNan ? 'n' : 'z', descriptor.block.size(),
                          fmt::join(descriptor.block, ","));
    }
    void operator()(const std::vector<ConstexprValue> &list) {
      text += fmt::format("l{}", list.size());
      for (const ConstexprValue &element : list) {
        text += ',';
        append(text, element);
      }
    }
    void operator()(const NamedTupleValue &tuple) {
      text += fmt::format("k{}:{}", tuple.type.size(), tuple.type);
      for (const std::string &field : tuple.fields)
        text += fmt::format("{}:{}", field.size(), field);
      operator()(tuple.items);
    }
    void operator()(PassedValue) { text += 'p'; }
  };
  std::visit(Writer{text}, value.value);
}

std::string valueText(const ConstexprValue &value) {
  std::string text;
  append(text, value);
  return text;
}

std::string specText(const KernelSpec &spec) {
  std::string text = fmt::format("{} {} {} {} {} {} {} {}\n", spec.kernel, spec.target, spec.tritonVersion,
                                 spec.numWarps, spec.numStages,
                                 !spec.debug           ? "release"
                                 : spec.overflowChecks ? "debug"
                                                       : "asserts",
                                 spec.maxRegisters, spec.fpFusion ? "fused" : "unfused");
  // With its length: it is whatever somebody has set.
  if (!spec.dotPrecision.empty())
    text += fmt::format("dots {}:{}\n", spec.dotPrecision.size(), spec.dotPrecision);
  for (Feature feature : spec.without)
    text += fmt::format("without {}\n", featureName(feature));
  for (const auto &[name, arg] : spec.args) {
    text += name;
    if (const auto *runtime = std::get_if<RuntimeArg>(&arg)) {
      text += fmt::format(":{}\n", formatArgType(*runtime));
      continue;
    }
    text += '=';
    append(text, std::get<ConstexprValue>(arg));
    text += '\n';
  }
  return text;
}

std::string signatureText(const ArgSpec &spec) {
  if (const auto *runtime = std::get_if<RuntimeArg>(&spec))
    return formatArgType(*runtime);
  const auto &value = std::get<ConstexprValue>(spec).value;
  if (const auto *integer = std::get_if<int64_t>(&value))
    return fmt::format("i{}={}", *integer == int32_t(*integer) ? 32 : 64, *integer);
  return std::holds_alternative<std::monostate>(value) ? "none" : "";
}

} // namespace tegula::jit
