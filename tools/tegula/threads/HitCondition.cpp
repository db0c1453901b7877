// Conditions of how often one has come to a breakpoint.
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/threads/ThreadSettings.h"

#include <fmt/format.h>

namespace tegula::cli {

bool HitCondition::holds(uint64_t hits) const {
  switch (kind) {
  case Equal:
    return hits == number;
  case Less:
    return hits < number;
  case LessEqual:
    return hits <= number;
  case Greater:
    return hits > number;
  case GreaterEqual:
    return hits >= number;
  case Multiple:
    return hits % number == 0;
  }
  return true;
}

runtime::Result<HitCondition> parseHitCondition(std::string_view text) {
  static constexpr std::pair<std::string_view, HitCondition::Kind> signs[] = {
      {"==", HitCondition::Equal},        {"<=", HitCondition::LessEqual}, {"<", HitCondition::Less},
      {">=", HitCondition::GreaterEqual}, {">", HitCondition::Greater},    {"%", HitCondition::Multiple}};
  HitCondition made;
  std::string_view left = trim(text);
  made.text = left;
  for (const auto &[sign, kind] : signs)
    if (left.starts_with(sign)) {
      made.kind = kind;
      left = trim(left.substr(sign.size()));
      break;
    }
  const runtime::Result<uint32_t> number = parseCount(left, "a number of hits");
  if (!number || !*number)
    return usageError(fmt::format(
        "expected a number of hits from 1, perhaps behind ==, <, <=, >, >= or %, found `{}`", made.text));
  made.number = *number;
  return made;
}

} // namespace tegula::cli
