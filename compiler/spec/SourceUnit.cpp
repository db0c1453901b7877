#include "compiler/spec/SourceUnit.h"

#include <fmt/format.h>

namespace tegula {

std::string programIdentity(const std::vector<SourceUnit> &units, size_t entry) {
  // What has no fixed length tells it first.
  std::string text = fmt::format("{}", entry);
  for (const SourceUnit &unit : units) {
    text += fmt::format(" {}:{} {} {}", unit.text.size(), unit.text, unit.firstLine, unit.names.size());
    for (const auto &[name, value] : unit.names)
      text += fmt::format(" {}:{}={}", name.size(), name, keyOf(value));
  }
  return text;
}

bool callsHost(const std::vector<SourceUnit> &units) {
  for (const SourceUnit &unit : units)
    for (const auto &[name, value] : unit.names)
      if (callsHost(value))
        return true;
  return false;
}

} // namespace tegula
