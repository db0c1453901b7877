#include "compiler/spec/Descriptor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tegula {

static constexpr std::string_view opening = "tensordesc<";
/// Alignment of the base and of each stride of a descriptor, in bytes.
static constexpr uint32_t alignment = 16;

bool looksLikeDescriptor(std::string_view text) { return text.starts_with(opening); }

std::variant<DescriptorType, std::string> parseDescriptorType(std::string_view text) {
  std::string expected =
      fmt::format("expected a descriptor such as `tensordesc<fp16[64,64]>`, found `{}`", text);
  if (!looksLikeDescriptor(text) || !text.ends_with('>'))
    return expected;
  std::string_view rest = text.substr(opening.size(), text.size() - opening.size() - 1);
  const size_t open = rest.find('['), close = rest.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return expected;
  DescriptorType type;
  const std::string_view element = rest.substr(0, open), padding = rest.substr(close + 1);
  const std::optional<ScalarKind> scalar = parseScalarKind(element);
  if (!scalar)
    return fmt::format("unknown type `{}` of the elements", element);
  type.element = *scalar;
  if (!padding.empty() && padding != ",nan" && padding != ",zero")
    return fmt::format("expected `,nan` or `,zero` behind the block, found `{}`", padding);
  type.value.padsWithNan = padding == ",nan";
  for (std::string_view sides = rest.substr(open + 1, close - open - 1);;) {
    const size_t comma = std::min(sides.find(','), sides.size());
    const std::string_view side = sides.substr(0, comma);
    int64_t number = 0;
    auto [end, error] = std::from_chars(side.data(), side.data() + side.size(), number);
    if (side.empty() || error != std::errc() || end != side.data() + side.size())
      return fmt::format("expected a side of the block, found `{}`", side);
    type.value.block.push_back(number);
    if (type.value.block.size() > maxDescriptorRank)
      return fmt::format("expected at most {} sides of a block", maxDescriptorRank);
    if (comma == sides.size())
      return type;
    sides.remove_prefix(comma + 1);
  }
}

std::vector<std::pair<std::string, RuntimeArg>> descriptorParameters(std::string_view name, size_t rank,
                                                                     ScalarKind element) {
  std::vector<std::pair<std::string, RuntimeArg>> parameters;
  parameters.emplace_back(fmt::format("{}.base", name), RuntimeArg{element, 1, {.divisibility = alignment}});
  for (size_t axis = 0; axis < rank; ++axis)
    parameters.emplace_back(fmt::format("{}.shape[{}]", name, axis),
                            RuntimeArg{ScalarKind::Int32, 0, {.nonNegative = true}});
  const ArgFacts steps{.divisibility = alignment / scalarKindBytes(element), .nonNegative = true};
  for (size_t axis = 0; axis + 1 < rank; ++axis)
    parameters.emplace_back(fmt::format("{}.strides[{}]", name, axis),
                            RuntimeArg{ScalarKind::Int64, 0, steps});
  return parameters;
}

std::string_view descriptorOf(std::string_view name) {
  const size_t dot = name.find('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

} // namespace tegula
