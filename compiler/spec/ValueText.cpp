#include "compiler/spec/ValueText.h"

#include <fmt/format.h>

#include <vector>

namespace tegula {

std::string valueText(const BoundValue &value) {
  if (const bool *truth = std::get_if<bool>(&value.value))
    return *truth ? "True" : "False";
  if (const auto *integer = std::get_if<int64_t>(&value.value))
    return fmt::format("{}", *integer);
  if (const auto *integer = std::get_if<uint64_t>(&value.value))
    return fmt::format("{}", *integer);
  if (const auto *number = std::get_if<double>(&value.value)) {
    // A float that is whole is no integer.
    std::string text = fmt::format("{}", *number);
    return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
  }
  if (const auto *text = std::get_if<std::string>(&value.value))
    return fmt::format("'{}'", *text);
  if (const auto *type = std::get_if<bound::Dtype>(&value.value))
    return std::string(type->pointerDepth, '*') + std::string(scalarKindName(type->scalar));
  if (const auto *function = std::get_if<bound::Function>(&value.value))
    return function->name;
  if (const auto *known = std::get_if<bound::Language>(&value.value))
    return known->path;
  if (const auto *descriptor = std::get_if<bound::Descriptor>(&value.value))
    return fmt::format("tensordesc<[{}]>", fmt::join(descriptor->block, ","));
  if (std::holds_alternative<bound::Passed>(value.value))
    return "...";
  const std::vector<BoundValue> *items = itemsOf(value);
  if (!items)
    return "None";
  const auto *tuple = std::get_if<bound::Tuple>(&value.value);
  std::vector<std::string> texts;
  for (size_t i = 0; i < items->size(); ++i)
    texts.push_back((tuple && !tuple->fields.empty() ? tuple->fields[i] + "=" : "") + valueText((*items)[i]));
  if (!tuple)
    return fmt::format("[{}]", fmt::join(texts, ", "));
  return fmt::format("{}({}{})", tuple->typeName, fmt::join(texts, ", "),
                     tuple->fields.empty() && texts.size() == 1 ? "," : "");
}

} // namespace tegula
