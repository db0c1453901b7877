// Conditions of how often one has come to a breakpoint.
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/threads/ThreadSettings.h"

#include <fmt/format.h>

namespace tegula::cli {

runtime::Result<HitCondition> parseHitCondition(std::string_view text) {
  using Hits = uint64_t;
  static constexpr std::pair<std::string_view, bool (*)(Hits, Hits)> signs[] = {
      {"==", [](Hits hits, Hits number) { return hits == number; }},
      {"<=", [](Hits hits, Hits number) { return hits <= number; }},
      {"<", [](Hits hits, Hits number) { return hits < number; }},
      {">=", [](Hits hits, Hits number) { return hits >= number; }},
      {">", [](Hits hits, Hits number) { return hits > number; }},
      {"%", [](Hits hits, Hits number) { return hits % number == 0; }}};
  std::string_view left = trim(text);
  HitCondition made{.compare = signs[0].second, .text = std::string(left)};
  for (const auto &[sign, compare] : signs)
    if (left.starts_with(sign)) {
      made.compare = compare;
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
